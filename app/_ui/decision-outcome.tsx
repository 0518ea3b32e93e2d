"use client";
import Link from "next/link";
import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { Funnel } from "./funnel.tsx";
import { Time } from "./time.tsx";

type Outcome = NonNullable<Answer<typeof automationApi.heartbeat>["lastDecision"]>;

/** The market time of a decision, which leads to its page. */
export function DecisionLink({ of: { id, decidedAt } }: { of: Pick<Outcome, "id" | "decidedAt"> }) {
  return (
    <Link
      href={`/decisions/${id}`}
      prefetch={false}
      className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      <Time at={decidedAt} />
    </Link>
  );
}

/** The funnel of a decision, each step with its list, and why it bought no more. */
export function DecisionOutcome({ of, isNarrow = false }: { of: Outcome; isNarrow?: boolean }) {
  return (
    <div className="flex flex-col gap-1">
      <Funnel counts={of} hrefOf={(step) => `/decisions/${of.id}?show=${step}`} isNarrow={isNarrow} />
      <Reasons of={of} />
    </div>
  );
}

/** More reasons than this are read on the decision's page. */
const REASONS_MOST = 3;

function Reasons({ of: { reasons, orders, entries } }: { of: Outcome }) {
  const others = orders - entries;
  const left = reasons.length - REASONS_MOST;
  const texts = [
    ...(others > 0 ? [`${countText(others)} ${others === 1 ? "order" : "orders"} to sell or to protect`] : []),
    ...reasons.slice(0, REASONS_MOST),
    ...(left > 0 ? [`${left} more ${left === 1 ? "reason" : "reasons"}`] : []),
  ];
  return texts.length === 0 ? null : <p className="text-xs text-muted">{texts.join(" · ")}</p>;
}
