/**
 * A worker in a process of its own that the crash tests end at a named point: submits a plan, or recovers
 * an account. Prints its report as one line of JSON.
 */
import { submitPlan } from "@/lib/server/services/orders/submit-plan.ts";
import { closeAccountWriters, withAccountWriter } from "../../server/core/account-writer.ts";
import { allPass, testContext } from "../fixtures/orders.ts";
import { recoverAccount } from "../../server/services/sync/recover-account.ts";

const [mode, accountId = "", decisionId = ""] = process.argv.slice(2);
const context = testContext();

const report = await withAccountWriter<unknown>(context, accountId, (epoch) =>
  mode === "submit"
    ? submitPlan(context, { decisionId, epoch, regate: allPass })
    : recoverAccount(context, accountId, { settleWindowMs: 1_000, untilSettled: true }),
);
process.stdout.write(`${JSON.stringify(report)}\n`);
await closeAccountWriters();
await context.db.$disconnect();
