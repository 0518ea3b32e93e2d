import { randomInt } from "node:crypto";
import { flag, fraction, readArguments, wholeNumber } from "@/lib/command.ts";
import { seedOf } from "@/lib/exchange/market/seeded.ts";

/** Every so many episodes one is played alone while Postgres is cut. */
const CUT_EVERY = 50;

export const HELP = `Usage: npm run chaos -- [options]

Real worker processes, a real Postgres, the practice exchange, scripted faults and kills; then everything is held
against the exchange's own books. Ctrl-C ends the run with a report.

  --episodes N               episodes to play (default 100)
  --seed S                   seed of the run (default: drawn, and printed)
  --parallel P               episodes at a time (default 2)
  --uniqueness-off-share F   part of the episodes in which the exchange takes a client order id twice (default 0.33)
  --replay SEED              plays the one episode of this seed again, with its logs
  --cut                      with --replay: Postgres is killed in it
  --report                   prints the whole report
  --help                     this text

Exit code 0: every invariant held.
`;

const OPTIONS = {
  episodes: wholeNumber(0).default(100),
  seed: wholeNumber(0, 0xffffffff).optional(),
  parallel: wholeNumber(1).default(2),
  "uniqueness-off-share": fraction.default(0.33),
  replay: wholeNumber(0, 0xffffffff).optional(),
  cut: flag,
  report: flag,
};

export function readOptions(args: string[]) {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { values } = given;
  const { seed = randomInt(2 ** 31), replay: replayed = null, parallel } = values;
  const all = Array.from({ length: values.episodes }, (_, index) => seedOf("chaos", seed, index));
  const isCut = (index: number) => index % CUT_EVERY === CUT_EVERY - 1;
  return {
    seed,
    replayed,
    isReport: values.report,
    plan: {
      parallel,
      options: { uniquenessOffShare: values["uniqueness-off-share"] },
      seeds: replayed === null ? all.filter((_, index) => !isCut(index)) : values.cut ? [] : [replayed],
      cutSeeds: replayed === null ? all.filter((_, index) => isCut(index)) : values.cut ? [replayed] : [],
    },
  };
}

export type ChaosOptions = NonNullable<ReturnType<typeof readOptions>>;
