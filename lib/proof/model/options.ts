import { parseArgs } from "node:util";
import { Failure } from "@/lib/domain/failures.ts";
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

/** Null where only help is wanted. Throws `invalid_input` for what it does not know. */
export function readOptions(args: string[]): ModelOptions | null {
  const refuse = (words: string) => new Failure("invalid_input", words);
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        sequences: { type: "string" },
        seed: { type: "string" },
        replay: { type: "string" },
        mutant: { type: "string" },
        mutants: { type: "boolean", default: false },
        "source-mutants": { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return null;
  const whole = (name: string, text: string | undefined, least: number): number | null => {
    if (text === undefined) return null;
    const value = Number(text);
    if (!Number.isInteger(value) || value < least || value > 0xffffffff)
      throw refuse(`--${name} must be a whole number from ${least} to ${0xffffffff}, not ${text}`);
    return value;
  };
  const names = MUTANTS.map(({ name }) => name);
  if (values.mutant !== undefined && !names.includes(values.mutant))
    throw refuse(`There is no mutant ${values.mutant}. --list names them.`);
  return {
    sequences: whole("sequences", values.sequences, 1),
    seed: whole("seed", values.seed, 0),
    replay: whole("replay", values.replay, 0),
    mutants: values.mutants ? names : values.mutant === undefined ? [] : [values.mutant],
    isSource: values["source-mutants"],
    isList: values.list,
  };
}
