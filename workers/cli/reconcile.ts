/** npm run reconcile: compares the running stack with the brokers' books. */
import { readArguments, runCommandLine } from "@/lib/command.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { compareAccounts } from "@/lib/proof/practice/compare-truth.ts";
import type { Context } from "@/lib/server/context.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";

const HELP = `Usage: npm run reconcile

Compares the running stack with the brokers' books: the practice market's own, whose clock is paused meanwhile, and the
lists of Alpaca of each account that is connected there by keys or by granted access, which are read and nothing else.
Both are read until they are at rest; every difference is printed.

Exit code 0: all agree; 1: differences; 2: an account could not be compared, because it did not come
to rest or its broker did not answer or refused the keys, or nothing could be compared.
`;

/** Interrupted, the comparison ends by itself, so that the practice market's clock runs again. */
function endBySignal(): AbortSignal {
  const end = new AbortController();
  const why = new Failure("conflict", "Interrupted: nothing was compared.");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end.abort(why));
  return end.signal;
}

async function compare(context: Context) {
  try {
    return await compareAccounts(context, endBySignal());
  } finally {
    await closeSystem(context);
  }
}

async function reconcile(): Promise<number> {
  const context = systemContext("reconcile");
  const report = await compare(context);
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
  if (differences > 0) console.log(`NOT reconciled: ${differences} differences`);
  else if (undecided > 0)
    console.log(`NOT judged: ${undecided} of ${report.accounts.length} accounts could not be compared`);
  else if (report.accounts.length === 0) console.log("no account at a broker");
  else console.log(`reconciled: ${report.accounts.length} accounts agree with their brokers to the cent`);
  return differences > 0 ? 1 : undecided > 0 ? 2 : 0;
}

await runCommandLine(HELP, (args) => readArguments(args, {}), reconcile, { failureCode: 2 });
