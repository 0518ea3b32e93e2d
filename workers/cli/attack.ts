/**
 * npm run attack: starts the whole product in a data directory of its own, lets accounts trade on the practice market,
 * and strikes it with one kind of fault after the other. After each it has to heal, and an independent reading of the
 * exchange has to agree with its rows.
 */
import { positiveNumber, readArguments, runCommandLine } from "@/lib/command.ts";
import { ATTACKS } from "@/lib/proof/attack/attacks.ts";
import { runAttacks } from "@/lib/proof/attack/run.ts";

const HELP = `Usage: npm run attack -- [attack …]

  --seconds N   how long each attack lasts (40)
  --speed N     market seconds per second (300)
  --traders N   new accounts before each attack (3)
  --seed N      of what is drawn by chance (1)

${ATTACKS.map(({ name, what }) => `  ${name.padEnd(14)} ${what}`).join("\n")}
`;

const OPTIONS = {
  seconds: positiveNumber.default(40),
  speed: positiveNumber.default(300),
  traders: positiveNumber.default(3),
  seed: positiveNumber.default(1),
};

await runCommandLine(
  HELP,
  (args) => readArguments(args, OPTIONS, ATTACKS.length),
  async ({ values, positionals }) => {
    const startedAt = performance.now();
    const results = await runAttacks({
      seed: values.seed,
      speed: values.speed,
      secondsEach: values.seconds,
      traders: values.traders,
      only: positionals,
      say: (line) => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
    });
    const wrong = results.filter(
      ({ struck, healedInS, doubled, lost }) => struck === 0 || healedInS === null || doubled + lost > 0,
    );
    console.log(
      wrong.length === 0
        ? `${results.length} attacks healed: 0 doubled, 0 lost, every share with its stop`
        : `NOT healed, wrong or never struck: ${wrong.map(({ name }) => name).join(", ")}`,
    );
    return wrong.length === 0 ? 0 : 1;
  },
);
