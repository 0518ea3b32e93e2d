"use client";
import { useState } from "react";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { operationsApi } from "@/lib/contracts/operations.ts";
import { countText, moneyText } from "@/lib/domain/format.ts";
import { useAction } from "../../../../_hooks/use-action.ts";
import { Badge, EnvironmentBadge } from "../../../../_ui/badge.tsx";
import { Button } from "../../../../_ui/button.tsx";
import { Card } from "../../../../_ui/card.tsx";
import { Dialog } from "../../../../_ui/dialog.tsx";
import { Empty } from "../../../../_ui/empty.tsx";
import { AmountsText } from "../../../../_ui/money.tsx";
import { SwitchField } from "../../../../_ui/switch-field.tsx";
import { Time } from "../../../../_ui/time.tsx";
import { KillForm } from "../../../kill-form.tsx";
import { ReasonDialog } from "../../../reason-dialog.tsx";
import type { Tell, User } from "./user-screen.tsx";

type Account = User["accounts"][number];
const REFRESHES = [adminUsersApi.read, operationsApi.read];

/** The person's accounts; figures of different environments are never added. */
export function AccountsCard({ user, onDone }: { user: User; onDone: Tell }) {
  return (
    <Card title="Accounts">
      {user.accounts.length === 0 && <Empty title="No accounts" />}
      <ul className="flex flex-col divide-y divide-line">
        {user.accounts.map((account) => (
          <AccountRow key={account.id} account={account} onDone={onDone} />
        ))}
      </ul>
    </Card>
  );
}

function AccountRow({ account, onDone }: { account: Account; onDone: Tell }) {
  const [open, setOpen] = useState<"kill" | "resume" | "close" | null>(null);
  const close = () => setOpen(null);
  const done: Tell = (...note) => {
    close();
    onDone(...note);
  };
  const { name, environment, status, equity, equityAsOf, positions, haltReason, haltedAt, killState, killReason } =
    account;
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium wrap-anywhere">{name}</span>
        <EnvironmentBadge environment={environment} />
        <Badge tone={status === "ACTIVE" ? "gain" : "neutral"}>{status.toLowerCase()}</Badge>
        {haltedAt !== null && <Badge tone="loss">halted</Badge>}
        {killState !== "NONE" && <Badge tone="loss">{killState.toLowerCase().replaceAll("_", " ")}</Badge>}
        {account.isClosing && <Badge tone="warn">closing</Badge>}
      </div>
      <p className="text-sm text-muted">
        {equity === null ? "Equity not read yet" : <AmountsText text={`Equity ${moneyText(equity)}`} />}
        {equityAsOf !== null && (
          <>
            {" "}
            as of <Time at={equityAsOf} />
          </>
        )}
        , {countText(positions)} {positions === 1 ? "position" : "positions"} of the automation
      </p>
      {haltedAt !== null && (
        <p className="text-sm text-loss wrap-anywhere">
          Halted since <Time at={haltedAt} />: {haltReason ?? "no reason kept"}
        </p>
      )}
      {killState !== "NONE" && <p className="text-sm wrap-anywhere">Stopped: {killReason ?? "no reason was given"}</p>}
      <div className="flex flex-wrap gap-3">
        {haltedAt !== null && (
          <Button tone="secondary" onClick={() => setOpen("resume")}>
            Resume
          </Button>
        )}
        <Button tone="secondary" onClick={() => setOpen("kill")}>
          {killState === "NONE" ? "Stop" : "Change the stop"}
        </Button>
        <Button tone="secondary" onClick={() => setOpen("close")}>
          Close account
        </Button>
      </div>
      {open === "kill" && (
        <Dialog
          isOpen
          onClose={close}
          title={`Kill switch of ${name}`}
          description="It applies from the account's next order on. Exits and protective stops always pass."
        >
          <KillForm
            target={{ scope: { kind: "account", accountId: account.id }, label: name, inForce: killState }}
            onCancel={close}
            onDone={done}
          />
        </Dialog>
      )}
      {open === "resume" && <ResumeDialog accountId={account.id} name={name} onClose={close} onDone={done} />}
      {open === "close" && <CloseDialog account={account} onClose={close} onDone={done} />}
    </li>
  );
}

interface ResumeProps {
  accountId: string;
  name: string;
  onClose: () => void;
  onDone: Tell;
}

function ResumeDialog({ accountId, name, onClose, onDone }: ResumeProps) {
  const act = useAction(operationsApi.resume, { refreshes: REFRESHES });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Resume ${name}`}
      description="Its records are first compared with the broker's: if anything is open or differs, the halt stays."
      phrase={null}
      action="Resume account"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The account is still halted"
      onConfirm={(reason) =>
        act.run(
          { id: accountId, reason },
          {
            onSuccess: ({ isResumed }) => onDone(isResumed ? "The account is resumed." : "The account was not halted."),
          },
        )
      }
    />
  );
}

function CloseDialog({ account, onClose, onDone }: { account: Account; onClose: () => void; onDone: Tell }) {
  const [isSelling, setSelling] = useState(false);
  const act = useAction(adminUsersApi.closeAccount, { refreshes: REFRESHES });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Close ${account.name}`}
      description={`Its automation stops and its open entry orders are cancelled. ${
        account.positions > 0 && !isSelling
          ? "What opens it stays here, encrypted and used for reading only, until those shares are sold: 90 days at most."
          : "What opens it, keys or granted access, is erased here."
      } The trade history stays. This cannot be undone.`}
      phrase="CLOSE"
      action={isSelling ? "Sell and close account" : "Close account"}
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The account was not closed"
      onConfirm={(reason) =>
        act.run(
          { id: account.id, closePositions: isSelling, reason },
          {
            onSuccess: ({ state }) =>
              onDone(
                state === "deleted"
                  ? "The account is closed."
                  : "The account is being closed: its positions are sold first.",
              ),
          },
        )
      }
    >
      {account.positions > 0 && (
        <SwitchField
          label="Sell its positions first, while the market is open. Otherwise they stay at the broker with their stops."
          isOn={isSelling}
          onChange={setSelling}
        />
      )}
    </ReasonDialog>
  );
}
