import { decide } from "@/lib/domain/engine/decide.ts";
import { recordedState } from "@/lib/domain/engine/recorded-state.ts";
import { ENGINE_VERSION, type MarketView } from "@/lib/domain/engine/plan.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import { policyReader } from "../../core/read-policy.ts";
import { messageOf } from "../../message-of.ts";
import { firstDifference, type FieldDifference } from "./first-difference.ts";
import { hashOf, readMarketView, type KnownParts } from "./market-record.ts";
import { readDecisions, type DecisionScope, type RecordedDecision } from "./read-decisions.ts";

export interface ReplayOptions extends DecisionScope {
  /** Replays records of other engine versions too; their version is then not compared. */
  isAnyEngine?: boolean;
}

export interface ReplayedDecision {
  decisionId: string;
  cycleId: string;
  accountId: string;
  decidedAt: string;
  /** Set when the record was not replayed, in words. */
  refusal: string | null;
  /** The first field that differs of the input, of the plan and of what stands beside it; empty when all agree byte for byte. */
  differences: FieldDifference[];
}

/** Decides recorded decisions again, one after the other, and holds each against its record. */
export async function* replayDecisions(
  context: Pick<Context, "db">,
  options: ReplayOptions,
): AsyncGenerator<ReplayedDecision> {
  const { isAnyEngine = false, ...scope } = options;
  const known: KnownParts = new Map();
  const policyOf = policyReader(context);
  for await (const record of readDecisions(context, scope)) {
    const { id: decisionId, cycleId, accountId, decidedAt, engineVersion } = record;
    const replayed = { decisionId, cycleId, accountId, decidedAt };
    if (engineVersion !== ENGINE_VERSION && !isAnyEngine) {
      const refusal = `decided by engine ${engineVersion}, and this is engine ${ENGINE_VERSION}`;
      yield { ...replayed, refusal, differences: [] };
      continue;
    }
    let differences: FieldDifference[];
    try {
      const market = await readMarketView(context, record.snapshotId, known);
      differences = compareWithRecord(record, market, await policyOf(record.policyVersion));
    } catch (error) {
      // Evidence that is missing or broken is a difference like any other.
      const message = messageOf(error);
      differences = [{ path: "input", recorded: "a decision", recomputed: message }];
    }
    yield { ...replayed, refusal: null, differences };
  }
}

/** Decides again and compares canonical bytes: the input's address, the plan, and what the record says beside it. */
export function compareWithRecord(record: RecordedDecision, market: MarketView, policy: Policy): FieldDifference[] {
  const { state, policyVersion, engineVersion } = record;
  const plan = { ...decide(recordedState(state), market, policy), engineVersion };
  const pairs: [string, unknown, unknown][] = [
    ["inputHash", record.inputHash, hashOf({ state, market, policyVersion, engineVersion })],
    ["plan", record.plan, plan],
    ["outputHash", record.outputHash, hashOf(plan)],
    ["line", record.line, plan.line],
    ["decidedAt", record.decidedAt, market.at],
  ];
  return pairs.flatMap(([path, recorded, recomputed]) => firstDifference(path, recorded, recomputed) ?? []);
}
