"use client";
import type { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { DecisionLink, DecisionOutcome } from "../../_ui/decision-outcome.tsx";
import { Fold } from "../../_ui/fold.tsx";
import type { Column } from "../../_ui/table.tsx";
import { withoutClock } from "./labels.ts";

type Row = Answer<typeof decisionsApi.list>["decisions"][number];

/** Consecutive cycles with the same outcome, shown as one row by the newest. */
export interface Spell extends Row {
  /** Newest first. */
  cycles: Pick<Row, "id" | "decidedAt">[];
}

/** A cycle that ordered something is a change, whatever came before. */
export function spellsOf(rows: readonly Row[]): Spell[] {
  const spells: Spell[] = [];
  for (const row of rows) {
    const last = spells.at(-1);
    const isSame =
      last?.account.id === row.account.id &&
      row.orders === 0 &&
      last.orders === 0 &&
      withoutClock(last.line) === withoutClock(row.line);
    if (last && isSame) last.cycles.push(row);
    else spells.push({ ...row, cycles: [row] });
  }
  return spells;
}

function Account({ account }: { account: Row["account"] }) {
  return (
    <span className="block max-w-40 truncate" title={account.name}>
      {account.name}
    </span>
  );
}

/** "12 looks, nothing new", with the way to each of them. */
function Cycles({ spell: { cycles } }: { spell: Spell }) {
  if (cycles.length < 2) return null;
  return (
    <Fold summary={`${countText(cycles.length)} looks, nothing new`} className="text-xs text-muted">
      <ul className="mt-1 flex max-h-48 flex-col gap-0.5 overflow-y-auto pl-5">
        {cycles.map((cycle) => (
          <li key={cycle.id}>
            <DecisionLink of={cycle} />
          </li>
        ))}
      </ul>
    </Fold>
  );
}

const COLUMNS: Column<Spell>[] = [
  {
    key: "time",
    title: "Time",
    cell: (spell) => (
      <span className="block">
        <DecisionLink of={spell} />
        <Cycles spell={spell} />
      </span>
    ),
  },
  { key: "account", title: "Account", cell: ({ account }) => <Account account={account} /> },
  { key: "decision", title: "Decision", cell: (spell) => <DecisionOutcome of={spell} /> },
];

export const columnsOf = (hasAccounts: boolean): readonly Column<Spell>[] =>
  COLUMNS.filter(({ key }) => hasAccounts || key !== "account");

export function DecisionCard({ spell, hasAccount }: { spell: Spell; hasAccount: boolean }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex items-start justify-between gap-3 text-xs text-muted">
        <DecisionLink of={spell} />
        {hasAccount && <Account account={spell.account} />}
      </p>
      <DecisionOutcome of={spell} />
      <Cycles spell={spell} />
    </div>
  );
}
