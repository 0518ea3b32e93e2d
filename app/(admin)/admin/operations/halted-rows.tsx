"use client";
import { useState } from "react";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { operationsApi } from "@/lib/contracts/operations.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Button } from "../../../_ui/button.tsx";
import { SwitchField } from "../../../_ui/switch-field.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ReasonDialog } from "../../reason-dialog.tsx";
import { BooksDialog } from "./books-dialog.tsx";
import type { RowsProps } from "./operations-screen.tsx";
import { Where } from "./where.tsx";

type Halted = RowsProps<"halted">["rows"][number];

/** Accounts in which nothing is sent until a person resumes them. */
export function HaltedRows({ rows, onDone }: RowsProps<"halted">) {
  const [open, setOpen] = useState<{ row: Halted; what: "resume" | "books" } | null>(null);
  const close = () => setOpen(null);
  const done = (note: string) => {
    close();
    onDone(note);
  };
  return (
    <>
      <ul aria-label="Halted accounts" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.accountId} className="flex flex-col gap-2 py-3 text-sm first:pt-0 last:pb-0">
            <Where of={row} />
            <span className="wrap-anywhere">
              {row.reason ?? "No reason was kept"}, since <Time at={row.since} />
            </span>
            {!row.hasKeys && (
              <span>
                <Badge tone="warn">its keys were erased</Badge>
              </span>
            )}
            <span className="flex flex-wrap gap-3">
              <Button tone="secondary" onClick={() => setOpen({ row, what: "resume" })}>
                Resume
              </Button>
              <Button tone="secondary" onClick={() => setOpen({ row, what: "books" })}>
                Take over the broker&apos;s books
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {open?.what === "resume" && <ResumeDialog row={open.row} onClose={close} onDone={done} />}
      {open?.what === "books" && <BooksDialog row={open.row} onClose={close} onDone={done} />}
    </>
  );
}

function ResumeDialog({ row, onClose, onDone }: { row: Halted; onClose: () => void; onDone: (note: string) => void }) {
  const [isReset, setReset] = useState(false);
  const act = useAction(operationsApi.resume, { refreshes: [operationsApi.read, killSwitchApi.read] });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Resume ${row.account}`}
      description="Its records are first compared with the broker's: if anything is open or differs, the halt stays."
      phrase={null}
      action="Resume account"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The account is still halted"
      onConfirm={(reason) =>
        act.run(
          { id: row.accountId, reason, ...(isReset ? { resetMark: true } : {}) },
          {
            onSuccess: ({ isResumed }) =>
              onDone(isResumed ? "The account is resumed." : "The account was no longer halted."),
          },
        )
      }
    >
      {row.isDrawdownHalted && (
        <SwitchField
          label="Measure the drawdown from today's equity"
          hint="This lifts the stop that the drawdown put on the account."
          isOn={isReset}
          onChange={setReset}
        />
      )}
    </ReasonDialog>
  );
}
