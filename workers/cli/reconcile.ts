/**
 * npm run reconcile: holds the running stack against the practice market's truth. The clock is paused
 * while both are read; every difference is printed, and the exit code says whether there was one.
 */
import { comparePractice } from "@/lib/server/services/practice/compare-truth.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";

const context = systemContext("reconcile");
const report = await comparePractice(context);
for (const account of report.accounts) {
  console.log(
    `account ${account.accountNumber} (${account.owner}): ${account.orders} orders, ${account.fills} fills, ` +
      `${account.positions} positions, cash ${account.cash}, ${account.differences.length === 0 ? "agrees" : `${account.differences.length} differences`}`,
  );
  for (const difference of account.differences) console.log(`  ${difference}`);
}
const differences = report.accounts.reduce((total, account) => total + account.differences.length, 0);
console.log(
  report.accounts.length === 0
    ? "no account on the practice market"
    : differences === 0
      ? `reconciled: ${report.accounts.length} accounts agree with the exchange to the cent`
      : `NOT reconciled: ${differences} differences`,
);
await closeSystem(context);
process.exitCode = differences === 0 ? 0 : 1;
