/**
 * A process of its own that the crash tests end at a named point: submits a plan, sells 10 SPY for their owner, or recovers
 * an account. Prints its report as one line of JSON.
 */
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { closeAccountWriters, withAccountWriter } from "../../server/core/account-writer.ts";
import { sellPosition } from "@/lib/server/services/positions/sell-position.ts";
import { allPass, testContext } from "../fixtures/orders.ts";
import { recoverAccount } from "../../server/services/sync/recover-account.ts";

/** `planId`: the decision to submit, or the request of the sale. */
const [mode, accountId = "", planId = ""] = process.argv.slice(2);
const context = testContext();

const asWriter = () =>
  withAccountWriter<unknown>(context, accountId, (epoch) =>
    mode === "submit"
      ? submitPlan(context, { decisionId: planId, epoch, regate: allPass })
      : recoverAccount(context, accountId, { settleWindowMs: 1_000, untilSettled: true }),
  );

async function sell(): Promise<unknown> {
  const { userId } = await context.db.account.findUniqueOrThrow({ where: { id: accountId } });
  const actor = { kind: "user", userId, role: "USER", signInId: "crash-child" } as const;
  const request = { accountId, symbol: "SPY", requestId: planId, confirmation: "SELL SPY", qty: null };
  return sellPosition({ ...context, actor }, request, { followMs: 0 });
}

const report = await (mode === "sell" ? sell() : asWriter());
process.stdout.write(`${JSON.stringify(report)}\n`);
await closeAccountWriters();
await context.db.$disconnect();
