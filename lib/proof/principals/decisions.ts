import {
  exampleAccount,
  exampleMarket,
  examplePolicy,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import { openSession } from "@/lib/domain/engine/session-view.ts";
import { storeMarketView } from "@/lib/server/services/cycles/market-record.ts";
import { recordDecision } from "@/lib/server/services/cycles/record-decision.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSharedRow, type Owner } from "./rows.ts";

/** A decision as the worker makes and stores it, in a cycle of its own unless one is given: what reads it reads the real thing. */
export async function makeDecision(owner: Owner, inCycle?: string): Promise<{ id: string; cycleId: string }> {
  const context = systemContext("test");
  const policy = await activePolicy(context);
  const market = exampleMarket([exampleSymbol("AAPL")], [exampleSeat("AAPL")]);
  const state = exampleAccount({
    accountId: owner.accountId,
    haltReason: owner.canary("DecisionRecord.accountState"),
    automationOff: owner.canary("DecisionRecord.plan"),
  });
  const session = openSession(market, policy.version === examplePolicy.version ? policy : examplePolicy);
  const plan = decide(state, market, session.policy, session);
  const snapshotId = await storeMarketView(context, market);
  const cycleId = inCycle ?? String((await makeSharedRow("Cycle", { snapshotId })).id);
  const account = { id: owner.accountId, userId: owner.userId };
  const id = await recordDecision(context, { cycleId, account, snapshotId, state, session, plan });
  if (id === null) throw new Error("the account has a decision in this cycle already");
  return { id, cycleId };
}
