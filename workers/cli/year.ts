/** npm run year: many accounts of every strategy trade a long time; then every book is compared with the exchange's. */
import { anyText, date, readArguments, runCommandLine, wholeNumber } from "@/lib/command.ts";
import { playYear } from "@/lib/proof/year.ts";

const HELP = `Usage: npm run year -- [options]

Many accounts of every strategy trade a long time on a practice market of their own; then every book is compared with
the exchange's, to the cent. Brings its own database and touches nothing of the stack.

  --accounts N   accounts (default 20)
  --sessions N   sessions to trade (default 252)
  --tape DIR     the market of a tape instead of the generated one
  --start DATE   first session
  --seed N       seed of the market (default 2)
  --help         this text
`;

const OPTIONS = {
  accounts: wholeNumber(1).default(20),
  sessions: wholeNumber(1).default(252),
  tape: anyText.optional(),
  start: date.optional(),
  seed: wholeNumber(1).default(2),
};

await runCommandLine(
  HELP,
  (args) => readArguments(args, OPTIONS),
  async ({ values }) => {
    const startedAt = performance.now();
    const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(0);
    const differences = await playYear(values, (message) => console.log(`${seconds()} s: ${message}`));
    return differences === 0 ? 0 : 1;
  },
);
