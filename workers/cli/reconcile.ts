/**
 * npm run reconcile: holds the running stack against the practice market's truth. The clock is paused and both are
 * read until they are at rest; every difference is printed. Exit code 0: all agree, 1: differences, 2: an account did
 * not come to rest and was not judged.
 */
import { comparePractice } from "@/lib/proof/practice/compare-truth.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";

const context = systemContext("reconcile");
const report = await comparePractice(context);
for (const account of report.accounts) {
  const verdict =
    account.undecided ?? (account.differences.length === 0 ? "agrees" : `${account.differences.length} differences`);
  console.log(
    `account ${account.accountNumber} (${account.owner}): ${account.orders} orders, ${account.fills} fills, ` +
      `${account.positions} positions, cash ${account.cash}, ${verdict}`,
  );
  for (const difference of account.differences) console.log(`  ${difference}`);
}
const differences = report.accounts.reduce((total, account) => total + account.differences.length, 0);
const undecided = report.accounts.filter((account) => account.undecided !== null).length;

function conclusion(): string {
  if (differences > 0) return `NOT reconciled: ${differences} differences`;
  if (undecided > 0) return `NOT judged: ${undecided} of ${report.accounts.length} accounts did not come to rest`;
  if (report.accounts.length === 0) return "no account on the practice market";
  return `reconciled: ${report.accounts.length} accounts agree with the exchange to the cent`;
}

console.log(conclusion());
await closeSystem(context);
process.exitCode = differences > 0 ? 1 : undecided > 0 ? 2 : 0;
