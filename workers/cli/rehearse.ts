/** npm run rehearse: sessions of the US market with Alpaca keys, the real worker and an exchange that stands in for Alpaca. */
import { date, readArguments, runCommandLine, wholeNumber } from "@/lib/command.ts";
import { withOwnDatabase } from "@/lib/proof/own-database.ts";
import { rehearse } from "@/lib/proof/rehearsal/rehearse.ts";
import { closeSystem } from "@/lib/server/services/queue/close-system.ts";
import { systemContext } from "@/lib/server/system-context.ts";

const HELP = `Usage: npm run rehearse -- [options]

The worker trades sessions of the US market for two people with Alpaca keys, one of them with real money, at an exchange
that stands in for Alpaca's trading, data and stream hosts and for the vendors. Market time is the wall clock's, which is
moved from look to look; streams are cut, the clock is set wrong and the worker is killed on the way. After every look
the books are compared with the exchange's. Brings its own database and touches nothing of the stack.

  --from DATE    first session (default 2026-11-25: a holiday, an early close and a weekend follow)
  --sessions N   sessions to trade (default 3)
  --every N      market minutes between looks (default 30)
  --help         this text

Exit code 0: something was bought and sold, and everything agrees; 1: not so.
`;

const OPTIONS = {
  from: date.default("2026-11-25"),
  sessions: wholeNumber(1).default(3),
  every: wholeNumber(1).default(30),
};

await runCommandLine(
  HELP,
  (args) => readArguments(args, OPTIONS),
  ({ values: { from, sessions, every } }) =>
    withOwnDatabase("rehearsal", async (DATABASE_URL) => {
      Object.assign(process.env, {
        DATABASE_URL,
        NEXTAUTH_SECRET: "rehearsal-secret-".repeat(5),
        MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
        AUDIT_KEY: "rehearsal-audit-key-".repeat(3),
        LOG_LEVEL: "warn",
      });
      const startedAt = performance.now();
      const say = (message: string) =>
        console.log(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${message}`);
      const report = await rehearse({ from, sessions, everyMinutes: every }, say);
      await closeSystem(systemContext("rehearsal"));
      for (const finding of report.findings) console.log(`  ${finding}`);
      const { looks, bought, sold, tripsClosed, statements } = report;
      say(
        `${sessions} sessions, ${looks} looks: ${bought} bought, ${sold} sold, ${tripsClosed} round trips closed, ` +
          `${statements} clean statements, ${report.findings.length} findings`,
      );
      return report.findings.length === 0 && tripsClosed > 0 ? 0 : 1;
    }),
);
