/**
 * A worker in a process of its own that the crash tests end at a named point: submits a plan, or recovers
 * an account. Prints its report as one line of JSON.
 */
import { allPass, testContext } from "./bench.ts";
import { closeAccountWriters, withAccountWriter } from "../../core/account-writer.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { submitPlan } from "./submit-plan.ts";

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
