/**
 * npm run attack: starts the whole product in a data directory of its own, lets accounts trade on the practice market,
 * and strikes it with one kind of fault after the other. After each it has to heal, and an independent reading of the
 * exchange has to agree with its rows.
 */
import { parseArgs } from "node:util";
import { ATTACKS } from "@/lib/proof/attack/attacks.ts";
import { runAttacks } from "@/lib/proof/attack/run.ts";

const HELP = `npm run attack -- [attack …]

  --seconds N   how long each attack lasts (40)
  --speed N     market seconds per second (300)
  --traders N   new accounts before each attack (3)
  --seed N      of what is drawn by chance (1)

${ATTACKS.map(({ name, what }) => `  ${name.padEnd(14)} ${what}`).join("\n")}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "40" },
    speed: { type: "string", default: "300" },
    traders: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

function positive(name: string, value: string): number {
  const number = Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  console.error(`--${name}: "${value}" is not a positive number.\n\n${HELP}`);
  process.exit(2);
}

if (values.help) {
  console.log(HELP);
} else {
  const startedAt = performance.now();
  const results = await runAttacks({
    seed: positive("seed", values.seed),
    speed: positive("speed", values.speed),
    secondsEach: positive("seconds", values.seconds),
    traders: positive("traders", values.traders),
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
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
