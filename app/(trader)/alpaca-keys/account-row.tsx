"use client";
import { Pause, Play, RotateCcw, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Money } from "../../_ui/money.tsx";
import { notifyFailure, notifyWithUndo } from "../../_ui/notify-with-undo.ts";
import { Time } from "../../_ui/time.tsx";
import { AccountNotices } from "./account-notices.tsx";
import { labelOf, TYPE_LABELS, type Account, type Note } from "./account-text.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { StartAgainDialog } from "./start-again-dialog.tsx";

const STATUS_TONE = { ACTIVE: "gain", PAUSED: "warn", INACTIVE: "neutral" } as const;

export function AccountRow({ account, onNote }: { account: Account; onNote: (note: Note) => void }) {
  const [asked, setAsked] = useState<"delete" | "start again" | null>(null);
  const name = titleOf(account);
  const close = () => setAsked(null);
  const done = (note: Note) => {
    close();
    onNote(note);
  };
  return (
    <li className="flex flex-col gap-4 py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="flex min-h-9 min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 font-semibold wrap-anywhere">{name}</span>{" "}
          <EnvironmentBadge environment={labelOf(account)} />{" "}
          <Badge tone={STATUS_TONE[account.status]}>{account.status}</Badge>
        </h3>
        <div className="ml-auto flex flex-wrap justify-end gap-1">
          {account.status !== "INACTIVE" && !account.isClosing && <PauseSwitch account={account} name={name} />}
          {account.broker === "PRACTICE" && !account.isClosing && (
            <Button tone="quiet" className="sm:min-h-9" onClick={() => setAsked("start again")}>
              <RotateCcw aria-hidden className="size-4" />
              Start again
            </Button>
          )}
          <Button
            tone="quiet"
            aria-label={`Delete ${name}`}
            className="hover:bg-loss-soft hover:text-loss sm:min-h-9"
            onClick={() => setAsked("delete")}
          >
            <Trash2 aria-hidden className="size-4" />
            Delete
          </Button>
        </div>
      </div>
      <AccountFacts account={account} />
      <AccountNotices account={account} onNote={onNote} />
      {asked === "delete" && <DeleteDialog account={account} onClose={close} onDone={done} />}
      {asked === "start again" && <StartAgainDialog account={account} onClose={close} onDone={done} />}
    </li>
  );
}

function AccountFacts({ account }: { account: Account }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      <Fact term="Equity">
        {account.equity === null ? (
          "Not read yet"
        ) : (
          <span className="font-medium">
            <Money value={account.equity} />
          </span>
        )}
        {account.equityAsOf !== null && (
          <Small>
            as of <Time at={account.equityAsOf} />
            {/* The practice market has a clock of its own; the other times of the row are wall time. */}
            {account.broker === "PRACTICE" && " market time"}
          </Small>
        )}
      </Fact>
      <Fact term="Positions">
        {account.positions.count === 0 ? (
          "None"
        ) : (
          <>
            {countText(account.positions.count)} worth <Money value={account.positions.value} />
          </>
        )}
        {account.otherPositions > 0 && <Small>and {countText(account.otherPositions)} not bought by Tradewind</Small>}
      </Fact>
      <Fact term="Checked with the broker">
        {account.reconciledAt === null ? (
          "Not yet"
        ) : (
          <>
            as of <Time at={account.reconciledAt} />
          </>
        )}
      </Fact>
      {account.access === "OAUTH" ? (
        <Fact term="Access">Connected with Alpaca</Fact>
      ) : (
        <Fact term="Key">
          <code className="font-mono">{account.alpacaKey === null ? "none" : `${account.alpacaKey.slice(0, 8)}…`}</code>
        </Fact>
      )}
      <Fact term="Type">
        {TYPE_LABELS[account.accountType]}
        {account.accountNumberEnd !== null && <Small>number ends in {account.accountNumberEnd}</Small>}
      </Fact>
      <Fact term="Added">
        <Time at={account.createdAt} />
      </Fact>
    </dl>
  );
}

/** Pausing and going on are each one click, with the way back. */
function PauseSwitch({ account, name }: { account: Account; name: string }) {
  const change = useAction(accountsApi.setStatus, { refreshes: [accountsApi.list, automationApi.heartbeat] });
  const isPaused = account.status === "PAUSED";
  const set = (status: "ACTIVE" | "PAUSED", onSuccess?: (answer: Answer<typeof accountsApi.setStatus>) => void) =>
    change.run(
      { id: account.id, status },
      {
        ...(onSuccess === undefined ? {} : { onSuccess }),
        onFailure: ({ message }) => notifyFailure(`${name} was not changed`, message),
      },
    );
  const [Icon, label, next, notice, detail] = isPaused
    ? ([
        Play,
        "Unpause",
        "ACTIVE",
        `${name} is resumed`,
        "Tradewind trades it again from its next look at the market.",
      ] as const)
    : ([
        Pause,
        "Pause",
        "PAUSED",
        `${name} paused`,
        "Nothing is bought in it, and open purchase orders are cancelled. Exits and stops keep working.",
      ] as const);
  return (
    <Button
      tone="quiet"
      aria-label={`${label} ${name}`}
      className="sm:min-h-9"
      disabled={change.isBusy}
      onClick={() =>
        set(next, ({ heldBy }) =>
          notifyWithUndo(notice, () => set(isPaused ? "PAUSED" : "ACTIVE"), {
            description: (isPaused ? heldBy : null) ?? detail,
          }),
        )
      }
    >
      <Icon aria-hidden className="size-4" />
      {label}
    </Button>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{term}</dt>
      {/* Half a phone is narrower than a day with its time. */}
      <dd className="mt-0.5 break-words max-sm:[&_time]:whitespace-normal">{children}</dd>
    </div>
  );
}

/** A line of its own, and a word of its own for screen readers. */
const Small = ({ children }: { children: ReactNode }) => (
  <>
    {" "}
    <span className="block text-xs text-muted">{children}</span>
  </>
);
