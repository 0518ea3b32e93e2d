"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import { countText, dateText, moneyText, quantityText, ratioText, shareText } from "@/lib/domain/format.ts";
import { policyFieldTitle, policyValueText, whatIfSentences } from "@/lib/domain/policy-text.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Table } from "../../_ui/table.tsx";
import { fieldOf } from "./policy-sections.tsx";

type Report = NonNullable<NonNullable<Answer<typeof policyApi.version>["whatIf"]>["report"]>;
type Compared = Report["environments"][number];
type Side = Compared["recorded"];

const shareOf = (value: number | null) => (value === null ? "not known" : shareText(value));

/** The figures of one side, as they stand beside those of the other. */
const FIGURES: readonly { label: string; of: (side: Side) => string }[] = [
  { label: "Purchases", of: ({ entries }) => countText(entries) },
  { label: "Sales", of: ({ exits }) => countText(exits) },
  { label: "Bought", of: ({ bought }) => moneyText(bought) },
  { label: "Sold", of: ({ sold }) => moneyText(sold) },
  { label: "Turnover of equity", of: ({ turnover }) => shareOf(turnover) },
  { label: "Estimated costs", of: ({ costs }) => moneyText(costs) },
  {
    label: "Costs of what was traded",
    of: ({ costBps }) => (costBps === null ? "nothing traded" : `${ratioText(costBps, 1)} bps`),
  },
  {
    label: "QA rules not passed",
    of: ({ qaFailures }) =>
      Object.entries(qaFailures)
        .map(([rule, count]) => `${countText(count)} ${rule.replaceAll("_", " ")}`)
        .join(", ") || "none",
  },
];

function changeText({ path, from, to }: Report["changedFields"][number]): string {
  const unit = fieldOf(path)?.unit ?? "";
  return `${policyFieldTitle(path)} ${policyValueText(from, unit)} → ${policyValueText(to, unit)}`;
}

/** The result of a what-if: sentences first, then figures side by side, then what it cannot tell. */
export function WhatIfReport({ report }: { report: Report }) {
  return (
    <div className="flex flex-col gap-6">
      <p className="text-sm">
        {report.changedFields.length === 0
          ? "No field differed from the policy in force."
          : `Fields changed: ${report.changedFields.map(changeText).join("; ")}.`}
      </p>
      {report.environments.map((part) => (
        <section key={part.environment} aria-label={part.environment} className="flex flex-col gap-3">
          <span className="self-start">
            <EnvironmentBadge environment={part.environment} />
          </span>
          <ul className="flex flex-col gap-1 text-sm">
            {whatIfSentences(part).map((sentence) => (
              <li key={sentence}>
                <AmountsText text={sentence} />
              </li>
            ))}
          </ul>
          <Figures part={part} />
          <Orders part={part} />
          <Accounts part={part} />
        </section>
      ))}
      <details className="text-sm">
        <summary className="tap w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
          What recorded cycles cannot show
        </summary>
        <ul className="mt-2 flex max-w-prose list-disc flex-col gap-1 pl-5 text-muted">
          {report.unknown.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function Figures({ part }: { part: Compared }) {
  return (
    <Table
      caption="Both policies side by side"
      rows={FIGURES}
      rowKey={({ label }) => label}
      columns={[
        { key: "figure", title: "Figure", cell: ({ label }) => label },
        {
          key: "recorded",
          title: "As recorded",
          isNumber: true,
          cell: ({ of }) => <AmountsText text={of(part.recorded)} />,
        },
        {
          key: "draft",
          title: "This version",
          isNumber: true,
          cell: ({ of }) => <AmountsText text={of(part.draft)} />,
        },
      ]}
      card={({ label, of }) => (
        <p className="flex flex-wrap justify-between gap-x-3 text-sm">
          <span>{label}</span>
          <span className="tabular-nums">
            <AmountsText text={`${of(part.recorded)} → ${of(part.draft)}`} />
          </span>
        </p>
      )}
    />
  );
}

const KINDS = [
  ["entriesAdded", "Purchase added"],
  ["entriesRemoved", "Purchase left out"],
  ["sizesChanged", "Other size"],
  ["exitsAdded", "Sale added"],
  ["exitsRemoved", "Sale left out"],
] as const;

/** The first orders that would have been different, of each kind. */
function Orders({ part }: { part: Compared }) {
  const rows = KINDS.flatMap(([kind, label]) =>
    part[kind].examples.map((row, index) => ({ ...row, label, key: `${kind}-${index}` })),
  );
  if (rows.length === 0) return null;
  const sizes = ({ recordedQty, draftQty }: (typeof rows)[number]) =>
    `${recordedQty === null ? "none" : quantityText(recordedQty)} → ${draftQty === null ? "none" : quantityText(draftQty)}`;
  return (
    <details className="text-sm">
      <summary className="tap w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
        Orders that would have been different
      </summary>
      <Table
        caption="Orders that would have been different"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: "session", title: "Session", cell: ({ session }) => dateText(session) },
          { key: "what", title: "What", cell: ({ label }) => label },
          { key: "symbol", title: "Symbol", cell: ({ symbol }) => symbol },
          { key: "shares", title: "Shares", isNumber: true, cell: sizes },
        ]}
        card={(row) => (
          <p className="text-sm">
            {dateText(row.session)} {row.label}: {row.symbol}, {sizes(row)} shares
          </p>
        )}
      />
    </details>
  );
}

function Accounts({ part: { accounts } }: { part: Compared }) {
  if (accounts.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="tap w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
        Accounts with the largest effect
      </summary>
      <Table
        caption="Accounts with the largest effect"
        rows={accounts}
        rowKey={({ accountId }) => accountId}
        columns={[
          { key: "account", title: "Account", cell: ({ accountId }) => accountId.slice(-8) },
          { key: "decisions", title: "Decisions", isNumber: true, cell: ({ decisions }) => countText(decisions) },
          {
            key: "effect",
            title: "Estimated effect",
            isNumber: true,
            cell: (row) => <Money value={row.pnlEffect} isChange />,
          },
          { key: "was", title: "Drawdown recorded", isNumber: true, cell: (row) => shareText(row.drawdownRecorded) },
          { key: "would", title: "Drawdown this version", isNumber: true, cell: (row) => shareText(row.drawdownDraft) },
        ]}
        card={(row) => (
          <p className="flex flex-wrap justify-between gap-x-3 text-sm">
            <span>{row.accountId.slice(-8)}</span>
            <Money value={row.pnlEffect} isChange />
            <span className="basis-full text-muted">
              Drawdown {shareText(row.drawdownRecorded)} → {shareText(row.drawdownDraft)}
            </span>
          </p>
        )}
      />
    </details>
  );
}
