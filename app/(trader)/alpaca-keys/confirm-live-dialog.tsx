"use client";
import Link from "next/link";
import { accountsApi, livePhrase, titleOf } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { SHOWS_ACCOUNTS } from "../../_hooks/shows-accounts.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { TypedDialog } from "../../_ui/typed-dialog.tsx";
import { holdText, type Account } from "./account-text.ts";

interface ConfirmLiveDialogProps {
  account: Account;
  onClose: () => void;
  onConfirmed: (answer: Answer<typeof accountsApi.confirmLive>) => void;
}

/** Real money: the limits and what happens next are read, and the account's number is typed. */
export function ConfirmLiveDialog({ account, onClose, onConfirmed }: ConfirmLiveDialogProps) {
  const preferences = useEndpoint(preferencesApi.readTrading, {});
  const confirming = useAction(accountsApi.confirmLive, { refreshes: SHOWS_ACCOUNTS });
  const pause = useEndpoint(automationApi.readPause, {});
  const { id, accountNumberEnd } = account;
  const title = `Trade ${titleOf(account)} with real money?`;
  const limits = preferences.data;
  if (accountNumberEnd === null) {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={title}
        description="The number of this account is not known here. Delete it and add it again, then confirm it."
      >
        <Button tone="secondary" onClick={onClose} className="self-end">
          Close
        </Button>
      </Dialog>
    );
  }
  const phrase = livePhrase(accountNumberEnd);
  return (
    <TypedDialog
      isOpen
      onClose={onClose}
      title={title}
      description="Once confirmed, automation buys and sells in this account by itself, with your money. You can lose it."
      phrase={phrase}
      action={confirming.isBusy ? "Confirming..." : "Confirm LIVE trading"}
      isBusy={confirming.isBusy || limits === undefined}
      onConfirm={() => confirming.run({ id, confirmation: phrase }, { onSuccess: onConfirmed })}
    >
      {preferences.failure !== null && (
        <FailureNote
          text="Your limits cannot be read"
          detail={preferences.failure.message}
          onRetry={preferences.retry}
        />
      )}
      {preferences.isLoading && <Skeleton className="h-32 w-full" />}
      {limits !== undefined && <Terms limits={limits} hold={holdText(account, pause.data?.isPaused === true)} />}
      {confirming.failure !== null && (
        <Banner kind="failure" detail={confirming.failure.message}>
          The account was not confirmed
        </Banner>
      )}
    </TypedDialog>
  );
}

interface TermsProps {
  limits: Answer<typeof preferencesApi.readTrading>;
  /** What keeps the account from trading once it is confirmed. */
  hold: string | null;
}

function Terms({ limits, hold }: TermsProps) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      {/* Never covered: the limits are read before they are agreed to. */}
      <div>
        <p className="font-medium">Your limits</p>
        <ul className="mt-1 list-disc pl-5 tabular-nums">
          <li>
            at most {limits.maxPositions} {limits.maxPositions === 1 ? "position" : "positions"} at once
          </li>
          <li>at most {moneyText(limits.maxPositionValue)} in one of them</li>
          <li>orders aim at {moneyText(limits.defaultOrderSize)}</li>
          <li>
            sold at a loss of {limits.stopLoss}% or a gain of {limits.profitTarget}%
          </li>
        </ul>
      </div>
      <div>
        <p className="font-medium">What happens next</p>
        <ul className="mt-1 list-disc pl-5">
          <FirstOrder limits={limits} hold={hold} />
          <li>Each position gets a protective stop at the broker.</li>
          <li>Pause stops buying with one click, here and in the bar above every page.</li>
        </ul>
      </div>
    </div>
  );
}

function FirstOrder({ limits, hold }: TermsProps) {
  if (limits.paperTradingOnly)
    return (
      <li>
        Paper Trading Only is on: nothing is traded here until you switch it off in the{" "}
        <Link href="/settings?tab=trading" className="font-medium text-accent underline underline-offset-4">
          trading settings
        </Link>
        .
      </li>
    );
  if (hold !== null) return <li>{hold}</li>;
  return (
    <li>
      Unless something else holds it, the next look at the market may already send the first order. It comes within{" "}
      {limits.checkInterval === 1 ? "one minute" : `${limits.checkInterval} minutes`} of trading.
    </li>
  );
}
