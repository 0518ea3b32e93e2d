"use client";
import Link from "next/link";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { invariantsApi } from "@/lib/contracts/invariants.ts";
import { Badge, EnvironmentBadge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { AmountsText } from "../../../_ui/money.tsx";
import { Table } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";

type Checks = Answer<typeof invariantsApi.read>;
type Account = NonNullable<Checks["breaches"][number]["account"]>;

function AccountLink({ account }: { account: Account | null }) {
  if (account === null) return <span className="text-muted">The system</span>;
  return (
    <span className="flex min-w-40 flex-wrap items-center gap-x-2 gap-y-0.5">
      <Link
        href={`/admin/users/${account.user.id}`}
        className="tap rounded-sm font-medium wrap-anywhere text-accent underline-offset-4 hover:underline"
      >
        {account.title}
      </Link>
      <EnvironmentBadge environment={account.environment} />
      <span className="basis-full text-xs wrap-anywhere text-muted">
        {account.user.name}, {account.user.email}
      </span>
    </span>
  );
}

export function Breaches({ breaches }: Pick<Checks, "breaches">) {
  if (breaches.length === 0) return null;
  const rows = breaches.map((row, index) => ({ ...row, key: `${row.account?.id ?? "system"}-${index}` }));
  return (
    <section aria-label="Breaches now" className="overflow-clip rounded-xl border border-loss/40 bg-surface">
      <Table
        caption="Breaches now"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: "id", title: "Invariant", cell: ({ invariant }) => <Badge tone="loss">{invariant}</Badge> },
          { key: "subject", title: "What", cell: ({ subject }) => <span className="wrap-anywhere">{subject}</span> },
          { key: "detail", title: "Detail", cell: ({ detail }) => <AmountsText text={detail} /> },
          { key: "account", title: "Account", cell: ({ account }) => <AccountLink account={account} /> },
          {
            key: "since",
            title: "Broken since",
            cell: ({ brokenSince, checkedAt }) => <Time at={brokenSince ?? checkedAt} />,
          },
          { key: "halted", title: "Halted", cell: (row) => (row.haltedAt === null ? "No" : "Yes") },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-1 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <Badge tone="loss">{row.invariant}</Badge>
              <span className="wrap-anywhere">{row.subject}</span>
              {row.haltedAt !== null && <Badge tone="warn">Halted</Badge>}
            </p>
            <p className="wrap-anywhere">
              <AmountsText text={row.detail} />
            </p>
            <AccountLink account={row.account} />
            <p className="text-xs text-muted">
              since <Time at={row.brokenSince ?? row.checkedAt} />
            </p>
          </div>
        )}
      />
    </section>
  );
}

export function Undecided({ undecided }: Pick<Checks, "undecided">) {
  if (undecided.length === 0) return null;
  return (
    <Card title="Undecided: the records could not be compared with the broker's">
      <ul className="flex flex-col gap-3 text-sm">
        {undecided.map(({ account, why, checkedAt }) => (
          <li key={account.id} className="flex flex-col gap-0.5">
            <AccountLink account={account} />
            <span className="wrap-anywhere">
              {why} <span className="text-muted">Checked</span> <Time at={checkedAt} isClock />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function History({ history }: Pick<Checks, "history">) {
  return (
    <Card title="Accounts halted by an invariant">
      {history.length === 0 ? (
        <p className="text-sm text-muted">No account was ever halted by an invariant.</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {history.map(({ id, at, reason, account, isHaltedStill }) => (
            <li key={id} className="flex flex-col gap-0.5">
              <span className="flex flex-wrap items-center gap-2">
                <Time at={at} />
                <Badge tone={isHaltedStill ? "loss" : "neutral"}>{isHaltedStill ? "Halted still" : "Resumed"}</Badge>
              </span>
              <span className="wrap-anywhere">
                <AmountsText text={reason} />
              </span>
              {account === null ? (
                <span className="text-muted">A deleted account</span>
              ) : (
                <AccountLink account={account} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
