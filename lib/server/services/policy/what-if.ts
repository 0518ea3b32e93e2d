import { decide } from "@/lib/domain/engine/decide.ts";
import { recordedState } from "@/lib/domain/engine/recorded-state.ts";
import { ENGINE_VERSION, type MarketView, type Plan, type PlannedOrder } from "@/lib/domain/engine/plan.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { fieldsBeyond } from "@/lib/domain/look-back.ts";
import { text, type DecimalText } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { sessionIndex } from "@/lib/domain/risk/sessions.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import type { Context } from "../../context.ts";
import { hashOf, readMarketView, type KnownParts } from "../cycles/market-record.ts";
import { readDecisions, type RecordedDecision } from "../cycles/read-decisions.ts";
import { accountEffect, trackEquity, openAccount, type AccountEffect, type AccountTrack } from "./account-effect.ts";
import { changedFields, unknownsOf, type ChangedField } from "./draft-changes.ts";
import { addOrder, addQa, emptySide, sideReport, type Side, type SideReport } from "./policy-side.ts";
import { policyReader } from "../../core/read-policy.ts";
import { followShadows, hasTradedAlone, shadowOrder } from "./shadow-book.ts";
import { withdrawalsSince } from "./withdrawals-since.ts";

export interface WhatIfInput {
  draft: Policy;
  /** New York dates, both inclusive. */
  from?: SessionDate;
  to?: SessionDate;
  accountId?: string;
  cycleIds?: readonly string[];
  environment?: Environment;
  onProgress?: (decisions: number) => void;
}

export interface ChangedOrder {
  accountId: string;
  session: SessionDate;
  symbol: string;
  reason: string;
  /** Null where the policy does not trade. */
  recordedQty: DecimalText | null;
  draftQty: DecimalText | null;
}

interface Kind {
  count: number;
  /** The first ones, in the order in which they were met. */
  examples: ChangedOrder[];
}

export interface WhatIfReport {
  draftVersion: string;
  recordedVersions: string[];
  changedFields: ChangedField[];
  decisions: number;
  /** Decisions made by another engine: both policies are decided again by this one. */
  ofOtherEngines: number;
  /** Decisions whose plan is not the same byte for byte, the policy's version aside. */
  decisionsChanged: number;
  entriesAdded: Kind;
  entriesRemoved: Kind;
  sizesChanged: Kind;
  exitsAdded: Kind;
  exitsRemoved: Kind;
  recorded: SideReport;
  draft: SideReport;
  /** Those with the largest effect first. */
  accounts: AccountEffect[];
  /** Fields by which the draft looks farther than some of the records. */
  beyond: string[];
  /** What recorded data cannot tell, in words. */
  unknown: string[];
}

const MOST_EXAMPLES = 100;
const MOST_ACCOUNTS = 50;

/** The first order of each account, session, side and symbol: a wish that every look repeats counts once. */
type FirstOrders = Map<string, { order: PlannedOrder; accountId: string; session: SessionDate }>;

const tradesOf = (plan: Plan) => plan.orders.filter(({ purpose }) => purpose !== "PROTECT");
const isSame = (a: Plan, b: Plan) => hashOf({ ...a, policyVersion: "" }) === hashOf({ ...b, policyVersion: "" });

interface Comparison {
  recorded: { side: Side; first: FirstOrders };
  draft: { side: Side; first: FirstOrders };
  tracks: Map<string, AccountTrack>;
}

/**
 * Decides recorded cycles again under their recorded policy and under a draft, and reports what would
 * have been different. Each decision starts from the recorded account: see `unknown`.
 */
export async function compareUnderPolicies(context: Pick<Context, "db">, input: WhatIfInput): Promise<WhatIfReport> {
  const { draft, onProgress, ...scope } = input;
  const policyOf = policyReader(context);
  const known: KnownParts = new Map();
  const versions = new Set<string>();
  const beyond = new Set<string>();
  const comparison: Comparison = {
    recorded: { side: emptySide(), first: new Map() },
    draft: { side: emptySide(), first: new Map() },
    tracks: new Map(),
  };
  let [decisions, ofOtherEngines, decisionsChanged] = [0, 0, 0];
  let active: Policy | null = null;
  for await (const record of readDecisions(context, scope)) {
    const market = await readMarketView(context, record.snapshotId, known);
    active = await policyOf(record.policyVersion);
    versions.add(record.policyVersion);
    const sessions = sessionIndex(market.sessions, market.session.date) ?? 0;
    for (const path of fieldsBeyond({ policy: active, sessions }, draft)) beyond.add(path);
    const state = recordedState(record.state);
    if (!comparison.tracks.has(record.accountId))
      comparison.tracks.set(record.accountId, openAccount(await withdrawalsSince(context, record)));
    const was = decide(state, market, active);
    const now = decide(state, market, draft);
    decisions += 1;
    if (record.engineVersion !== ENGINE_VERSION) ofOtherEngines += 1;
    if (!isSame(was, now)) decisionsChanged += 1;
    addQa(comparison.recorded.side, { state, market, policy: active, plan: was });
    addQa(comparison.draft.side, { state, market, policy: draft, plan: now });
    compareOrders(comparison, record, market, active, was, now);
    onProgress?.(decisions);
  }
  const equity = [...comparison.tracks.values()].map((track) => track.meanEquity);
  const effects = [...comparison.tracks].map(([accountId, track]) => accountEffect(accountId, track));
  return {
    draftVersion: draft.version,
    recordedVersions: [...versions].sort(),
    changedFields: active === null ? [] : changedFields(active, draft),
    decisions,
    ofOtherEngines,
    decisionsChanged,
    ...kindsOf(comparison.recorded.first, comparison.draft.first),
    recorded: sideReport(comparison.recorded.side, equity),
    draft: sideReport(comparison.draft.side, equity),
    accounts: effects
      .sort((a, b) => Math.abs(Number(b.pnlEffect)) - Math.abs(Number(a.pnlEffect)) || byText(a.accountId, b.accountId))
      .slice(0, MOST_ACCOUNTS),
    beyond: [...beyond].sort(),
    unknown: unknownsOf(active === null ? [] : changedFields(active, draft), [...beyond]),
  };
}

function compareOrders(
  { recorded, draft, tracks }: Comparison,
  record: RecordedDecision,
  market: MarketView,
  active: Policy,
  was: Plan,
  now: Plan,
): void {
  const { accountId, state } = record;
  const session = market.session.date;
  const track = tracks.get(accountId)!;
  followShadows(track.shadows, state, market);
  const pairs = new Map<string, { was: PlannedOrder | null; now: PlannedOrder | null }>();
  for (const order of tradesOf(was)) pairs.set(`${order.side} ${order.symbol}`, { was: order, now: null });
  for (const order of tradesOf(now)) {
    const key = `${order.side} ${order.symbol}`;
    pairs.set(key, { was: pairs.get(key)?.was ?? null, now: order });
  }
  for (const [key, pair] of pairs) {
    const id = `${accountId} ${session} ${key}`;
    const { was: recordedOrder } = pair;
    const draftOrder = pair.now !== null && hasTradedAlone(track.shadows, pair.now) ? null : pair.now;
    const isFirstRecorded = recordedOrder !== null && !recorded.first.has(id);
    const isFirstOfDraft = draftOrder !== null && !draft.first.has(id);
    if (isFirstRecorded) {
      recorded.first.set(id, { order: recordedOrder, accountId, session });
      addOrder(recorded.side, recordedOrder, market, active);
    }
    if (isFirstOfDraft) {
      draft.first.set(id, { order: draftOrder, accountId, session });
      // Both sides pay what the recorded policy expects trading to cost: the draft changes trades, not the market.
      addOrder(draft.side, draftOrder, market, active);
    }
    const isLate = recordedOrder === null && recorded.first.has(id);
    if ((isFirstRecorded || isFirstOfDraft) && !isLate)
      shadowOrder(track.shadows, state, market, recordedOrder, draftOrder);
  }
  trackEquity(track, state, record.decidedAt);
}

function kindsOf(recorded: FirstOrders, draft: FirstOrders) {
  const kinds = {
    entriesAdded: { count: 0, examples: [] } as Kind,
    entriesRemoved: { count: 0, examples: [] } as Kind,
    sizesChanged: { count: 0, examples: [] } as Kind,
    exitsAdded: { count: 0, examples: [] } as Kind,
    exitsRemoved: { count: 0, examples: [] } as Kind,
  };
  for (const id of new Set([...recorded.keys(), ...draft.keys()])) {
    const was = recorded.get(id);
    const now = draft.get(id);
    const met = now ?? was;
    if (!met || (was && now && text(was.order.qty) === text(now.order.qty))) continue;
    const { symbol, side, reason } = met.order;
    const kind: keyof typeof kinds =
      was && now
        ? "sizesChanged"
        : side === "BUY"
          ? now
            ? "entriesAdded"
            : "entriesRemoved"
          : now
            ? "exitsAdded"
            : "exitsRemoved";
    kinds[kind].count += 1;
    if (kinds[kind].examples.length >= MOST_EXAMPLES) continue;
    kinds[kind].examples.push({
      accountId: met.accountId,
      session: met.session,
      symbol,
      reason,
      recordedQty: was?.order.qty ?? null,
      draftQty: now?.order.qty ?? null,
    });
  }
  return kinds;
}
