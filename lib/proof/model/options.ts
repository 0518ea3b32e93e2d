import { anyText, flag, readArguments, refuse, wholeNumber } from "@/lib/command.ts";
import { MUTANTS } from "./mutants.ts";

export const HELP = `Usage: npm run model -- [options]

Plays seeded sequences of the order protocol (workers, database, broker, faults) and checks what must always hold.

  --sequences N    sequences to play (default 1000000); with --mutants, the most that each mutant gets (default 300000)
  --seed S         seed of the run (default: drawn, and printed)
  --replay N       plays the one sequence of this number again and prints its trace
  --mutant NAME    plays the protocol with this fault in it; it should be found
  --mutants        plays every mutant in turn
  --source-mutants puts faults into a copy of the services themselves; the named test of each must fail (slow)
  --list           names the mutants
  --help           this text

The exit code is 0 when the protocol held, or when every mutant that was asked for was found.
`;

export interface ModelOptions {
  sequences: number | null;
  seed: number | null;
  replay: number | null;
  mutants: readonly string[];
  isSource: boolean;
  isList: boolean;
}

const WHOLE_MAX = 0xffffffff;
const OPTIONS = {
  sequences: wholeNumber(1, WHOLE_MAX).optional(),
  seed: wholeNumber(0, WHOLE_MAX).optional(),
  replay: wholeNumber(0, WHOLE_MAX).optional(),
  mutant: anyText.optional(),
  mutants: flag,
  "source-mutants": flag,
  list: flag,
};

/** Null where only help is wanted. Throws `invalid_input` for what it does not know. */
export function readOptions(args: string[]): ModelOptions | null {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { sequences = null, seed = null, replay = null, mutant, mutants, list, ...values } = given.values;
  const names = MUTANTS.map(({ name }) => name);
  if (mutant !== undefined && !names.includes(mutant)) throw refuse(`There is no mutant ${mutant}. --list names them.`);
  return {
    sequences,
    seed,
    replay,
    mutants: mutants ? names : mutant === undefined ? [] : [mutant],
    isSource: values["source-mutants"],
    isList: list,
  };
}
