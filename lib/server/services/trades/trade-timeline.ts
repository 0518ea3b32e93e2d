import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { priceText, quantityText, signedMoneyText } from "@/lib/domain/format.ts";
import { money } from "@/lib/domain/money.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import { gateResultsOf } from "../../core/json.ts";
import type { WholeTrade } from "./read-trade.ts";
import { restingSince } from "./resting-since.ts";
import { reasonText } from "./trade-view.ts";

type Detail = Given<typeof tradesApi.read>;
type Step = Detail["timeline"][number];

/** An order in more parts than this is shown in one line; the table of fills has them all. */
const MOST_FILL_STEPS = 10;

const usd = (value: { toString(): string }) => priceText(value.toString());
const shares = (value: { toString(): string }) => quantityText(Number(value.toString()));

/** The way from the decision to the end, in the order in which things happen. Times are the market's. */
export function timelineOf(row: WholeTrade, trip: Detail["trip"]): Step[] {
  return [...decided(row), ...sent(row), ...filled(row), ...ended(row), ...closed(trip)];
}

function decided({ intent, role, reason }: WholeTrade): Step[] {
  if (!intent) return [];
  const what = `${intent.side === "BUY" ? "Buy" : "Sell"} ${shares(intent.qty)} ${intent.symbol}, decided at ${usd(intent.decisionPrice)}`;
  const isLeg = (role === "STOP" || role === "TARGET") && intent.purpose !== "PROTECT";
  return [
    {
      kind: "decided",
      title: isLeg ? "Decided with its entry" : `Decided: ${reasonText(reason ?? intent.reason)}`,
      detail: isLeg ? `${reasonText(intent.reason)}: ${what}` : what,
      at: intent.decidedAt,
      isBad: false,
    },
    ...intent.verdicts.map(({ phase, passed, at, results }): Step => {
      const gates = gateResultsOf({ results });
      const failing = gates.filter((gate) => !gate.passed && !gate.isWarning);
      return {
        kind: "gated",
        title: phase === "T2" ? "Rules checked again just before sending" : "Rules checked",
        detail: passed ? passedText(gates) : (failing[0]?.detail ?? intent.lastError ?? "The order was stopped"),
        at,
        isBad: !passed,
      };
    }),
  ];
}

/** A warning stops no order, and is no pass either. */
function passedText(gates: readonly { passed: boolean }[]): string {
  const warnings = gates.filter((gate) => !gate.passed).length;
  if (warnings === 0) return `All ${gates.length} passed`;
  return `${gates.length - warnings} of ${gates.length} passed, ${warnings} ${warnings === 1 ? "warning" : "warnings"}`;
}

function sent(row: WholeTrade): Step[] {
  const { intent, parentId, submittedAt, origin, status } = row;
  if (parentId !== null && origin !== "EXTERNAL") return [placed(row)];
  const taken: Step = {
    kind: "accepted",
    title: origin === "EXTERNAL" ? "Placed at the broker" : "Accepted by the broker",
    detail: null,
    at: submittedAt,
    isBad: false,
  };
  if (!intent || parentId !== null) return [taken];
  // When it left is known in wall time only, which never stands among market times.
  const submitted: Step = {
    kind: "submitted",
    title: "Sent to the broker",
    detail: intent.attempt > 1 ? `Attempt ${intent.attempt}` : null,
    at: null,
    isBad: false,
  };
  return status === "REJECTED" ? [submitted] : [submitted, taken];
}

/** A leg of an order: it rests once that one has filled. */
function placed({ role, parent, submittedAt, status, ...row }: WholeTrade): Step {
  const price = row.stopPrice ?? row.limitPrice;
  const what = `at the broker as the ${role === "STOP" ? "stop" : "target"}${price === null ? "" : ` at ${usd(price)}`}`;
  const since = restingSince({ parent, submittedAt });
  const waits = ENDS[status] === undefined ? "Waits" : "Waited";
  return {
    kind: "accepted",
    title: since === null ? `${waits} ${what} for its purchase to fill` : `Resting ${what}`,
    detail: null,
    at: since ?? submittedAt,
    isBad: false,
  };
}

function filled({ fills, qty }: WholeTrade): Step[] {
  const last = fills.at(-1);
  if (!last) return [];
  if (fills.length > MOST_FILL_STEPS)
    return [{ kind: "filled", title: `Filled in ${fills.length} parts`, detail: null, at: last.at, isBad: false }];
  let soFar = money(0);
  return fills.map((fill) => {
    soFar = soFar.plus(money(fill.qty));
    const isPart = qty !== null && soFar.lt(money(qty));
    return {
      kind: "filled",
      title: `Filled ${shares(fill.qty)} at ${usd(fill.price)}`,
      detail: isPart ? `${shares(soFar)} of ${shares(qty)} so far` : null,
      at: fill.at,
      isBad: false,
    };
  });
}

const ENDS: Partial<Record<WholeTrade["status"], string>> = {
  FILLED: "Filled completely",
  CANCELED: "Cancelled",
  EXPIRED: "Expired",
  REJECTED: "Rejected by the broker",
  REPLACED: "Replaced at the broker",
};

function ended({ status, brokerStatus, filledAt, endedAt, intent, parentId }: WholeTrade): Step[] {
  const title = ENDS[status];
  if (title === undefined) return [];
  const lastError = parentId === null && intent?.lastError ? `: ${intent.lastError}` : "";
  return [
    {
      kind: "ended",
      title,
      detail: `The broker says “${brokerStatus}”${lastError}`,
      at: filledAt ?? endedAt,
      isBad: TRADE_STATUS[status] === "REJECTED",
    },
  ];
}

function closed(trip: Detail["trip"]): Step[] {
  if (!trip?.closedAt) return [];
  return [
    {
      kind: "closed",
      title: `Round trip closed: ${signedMoneyText(Number(trip.pnl.toString()))}`,
      detail: trip.exitReason,
      at: trip.closedAt,
      isBad: false,
    },
  ];
}
