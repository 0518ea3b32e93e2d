"use client";
import { useState, type ReactNode } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { useAlpacaAuthorization } from "../../_hooks/use-alpaca-authorization.ts";
import { Banner } from "../../_ui/banner.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { notifyFailure } from "../../_ui/notify-with-undo.ts";
import {
  needsConfirmation,
  needsConnecting,
  positionsText,
  withHold,
  type Account,
  type Note,
} from "./account-text.ts";
import { ConfirmLiveDialog } from "./confirm-live-dialog.tsx";
import { ResumeAccountDialog } from "./resume-account-dialog.tsx";

const STOPPED_BY = {
  ADMIN: "Stopped by an administrator",
  DRAWDOWN: "Stopped after a drawdown",
  OWNER: "Stopped by you",
} as const;

/** What keeps the account from trading, each with what can be done about it. */
export function AccountNotices({ account, onNote }: { account: Account; onNote: (note: Note) => void }) {
  const [open, setOpen] = useState<"resume" | "confirm" | null>(null);
  const { haltReason, haltAdvice, stop, isClosing, canKeep, status } = account;
  // Where the halt's own notice offers to connect again.
  const isKeepOffered = canKeep && (haltReason === null || needsConnecting(account));
  const close = () => setOpen(null);
  const done = (text: string) => {
    close();
    onNote({ kind: "success", text });
  };
  const resume = <Act label={canKeep ? "Keep the account" : "Resume"} onClick={() => setOpen("resume")} />;
  return (
    <>
      {needsConfirmation(account) && (
        <Banner
          kind="warning"
          detail="Nothing is traded in it until you confirm it."
          action={<Act label="Confirm LIVE trading" onClick={() => setOpen("confirm")} />}
        >
          This account holds real money
        </Banner>
      )}
      {status === "PAUSED" && (
        <Banner kind="warning" detail="Nothing is bought in this account. Exits and protective stops keep working.">
          Paused by you
        </Banner>
      )}
      {haltReason !== null && (
        <Banner
          kind="failure"
          detail={haltAdvice}
          action={needsConnecting(account) ? <ConnectAgain id={account.id} /> : resume}
        >
          Halted: <AmountsText text={haltReason} />
        </Banner>
      )}
      {isClosing && <ClosingNotice account={account} action={isKeepOffered ? resume : null} />}
      {stop !== null && !isClosing && (
        <Banner
          kind="warning"
          detail={<AmountsText text={stop.text} />}
          {...(haltReason === null && stop.source !== "ADMIN" ? { action: resume } : {})}
        >
          {STOPPED_BY[stop.source ?? "ADMIN"]}
        </Banner>
      )}
      {open === "resume" && (
        <ResumeAccountDialog
          account={account}
          onClose={close}
          onResumed={({ isKept, heldBy }) =>
            done(withHold(isKept ? `${titleOf(account)} is not deleted.` : `${titleOf(account)} is resumed.`, heldBy))
          }
        />
      )}
      {open === "confirm" && (
        <ConfirmLiveDialog
          account={account}
          onClose={close}
          onConfirmed={({ heldBy }) => done(withHold(`LIVE trading is confirmed for ${titleOf(account)}.`, heldBy))}
        />
      )}
    </>
  );
}

function ClosingNotice({ account, action }: { account: Account; action: ReactNode }) {
  const text = `${positionsText(account)}: sold while the market is open, then the account is deleted.${account.canKeep ? "" : " An administrator closes it."}`;
  return (
    <Banner kind="warning" detail={<AmountsText text={text} />} {...(action === null ? {} : { action })}>
      Closing
    </Banner>
  );
}

/** Alpaca asks for the same account; the halt ends with its next reading. */
function ConnectAgain({ id }: { id: string }) {
  const { begin, isBusy } = useAlpacaAuthorization(accountsApi.connectAgain);
  return (
    <Act
      label={isBusy ? "Going to Alpaca..." : "Connect again"}
      isDisabled={isBusy}
      onClick={() => begin({ id }, (message) => notifyFailure("The account was not connected again", message))}
    />
  );
}

interface ActProps {
  label: ReactNode;
  isDisabled?: boolean;
  onClick: () => void;
}

function Act({ label, isDisabled = false, onClick }: ActProps) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onClick}
      className="min-h-11 rounded-lg border border-current px-3 font-medium hover:bg-surface sm:min-h-9"
    >
      {label}
    </button>
  );
}
