import type { ReactNode } from "react";
import { AmountsText } from "../../_ui/money.tsx";
import { positionsText, type Account } from "./account-text.ts";

interface PositionsChoiceProps {
  account: Account;
  isSelling: boolean;
  onChange: (isSelling: boolean) => void;
}

/** What becomes of what the account holds. Leaving it is the choice that sends no order. */
export function PositionsChoice({ account, isSelling, onChange }: PositionsChoiceProps) {
  const isHalted = account.haltReason !== null;
  return (
    <fieldset className="flex flex-col gap-2 text-sm">
      <legend className="mb-2 font-medium">
        <AmountsText text={positionsText(account)} />
      </legend>
      <Choice isChosen={!isSelling} onChoose={() => onChange(false)} title="Leave them at the broker">
        Their protective stops stay there, but Tradewind no longer moves or replaces them.
      </Choice>
      <Choice isChosen={isSelling} isDisabled={isHalted} onChoose={() => onChange(true)} title="Sell them first">
        {isHalted
          ? "This account is halted: nothing can be sold from here."
          : "At the market price, while the market is open. The account is deleted after the last sale."}
      </Choice>
    </fieldset>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
  title: string;
  children: ReactNode;
}

function Choice({ isChosen, isDisabled = false, onChoose, title, children }: ChoiceProps) {
  return (
    <label className="flex min-h-11 items-start gap-3 rounded-lg border border-line p-3 has-checked:border-accent has-disabled:opacity-60">
      <input
        type="radio"
        name="positions"
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="mt-0.5 size-4 accent-(--color-accent)"
      />
      <span>
        <span className="block font-medium">{title}</span>
        <span className="text-muted">{children}</span>
      </span>
    </label>
  );
}
