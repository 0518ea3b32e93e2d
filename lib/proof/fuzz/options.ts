import { anyText, flag, readArguments, wholeNumber } from "@/lib/command.ts";

export const HELP = `Usage: npm run fuzz -- [--requests 100000] [--seed N] [--only INDEX] [--url http://…] [--run-file FILE] [--lines 8] [--slow-ms 2000] [--earnest] [--validator http://…]

Sends bad and good requests over real HTTP to a running stack, to the API, to next-auth's addresses and to pages: as
without a sign-in, as a user and as an administrator, with ids of two people. No answer may be a 5xx, take longer than two seconds,
stand outside of the envelope, let a caller in, lead off site, lack a header, or hold a secret or another person's data;
and the health check must answer throughout. Three people and rows of every kind are made in the stack's database and
stay there: run it against a stack that may be thrown away.

--run-file  of the stack (default: the one of "npm start" with the same DATA_DIR): where it is, where its database is
            and how its limits are lifted for the time of the run
--url       another address of the same stack, or a stack without a run file (then without a sign-in, and within its limits)
--only      sends one request of the seed again and shows it
--slow-ms   an answer may take this long (a machine that is busy with other things needs more)
--validator a validating proxy before the same stack ("prism proxy"): calls of the API go through it, and every answer has to
            be as the API's document describes it
--earnest   calls that write take effect where they are valid after all: for a disposable stack
`;

export interface Options {
  requests: number;
  seed: number | null;
  only: number | null;
  url: string | null;
  runFile: string | null;
  lines: number;
  slowMs: number;
  isEarnest: boolean;
  validator: string | null;
}

const OPTIONS = {
  requests: wholeNumber(0).default(100_000),
  seed: wholeNumber(0).optional(),
  only: wholeNumber(0).optional(),
  url: anyText.optional(),
  "run-file": anyText.optional(),
  lines: wholeNumber(1).default(8),
  "slow-ms": wholeNumber(0).default(2_000),
  earnest: flag,
  validator: anyText.optional(),
};

/** Null: the help was asked for. */
export function readOptions(args: string[]): Options | null {
  const given = readArguments(args, OPTIONS);
  if (given === null) return null;
  const { requests, seed = null, only = null, url = null, validator = null, lines, earnest, ...values } = given.values;
  return {
    requests,
    seed,
    only,
    url,
    runFile: values["run-file"] ?? null,
    lines,
    slowMs: values["slow-ms"],
    isEarnest: earnest,
    validator,
  };
}
