import { parseArgs } from "node:util";

export const HELP = `npm run fuzz -- [--requests 100000] [--seed N] [--only INDEX] [--url http://…] [--run-file FILE] [--lines 8] [--slow-ms 2000] [--earnest]

Sends bad requests over real HTTP to a running stack: as nobody, as a user and as an administrator. No answer may be a
5xx, take longer than two seconds or stand outside of the envelope, and the health check must answer throughout.

--run-file  of the stack (default: the one of "npm start" with the same DATA_DIR): where it is, who its demo users are
            and how its limits are lifted for the time of the run
--url       another address of the same stack, or a stack without a run file (then as nobody, and within its limits)
--only      sends one request of the seed again and shows it
--slow-ms   an answer may take this long (a machine that is busy with other things needs more)
--earnest   calls that write take effect where they are valid after all: for a stack that is thrown away`;

export interface Options {
  requests: number;
  seed: number | null;
  only: number | null;
  url: string | null;
  runFile: string | null;
  lines: number;
  slowMs: number;
  isEarnest: boolean;
}

/** Null: the help was asked for. */
export function readOptions(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    options: {
      requests: { type: "string", default: "100000" },
      seed: { type: "string" },
      only: { type: "string" },
      url: { type: "string" },
      "run-file": { type: "string" },
      lines: { type: "string", default: "8" },
      "slow-ms": { type: "string", default: "2000" },
      earnest: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const whole = (name: string, value: string) => {
    if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a whole number, not ${value}`);
    return Number(value);
  };
  return {
    requests: whole("requests", values.requests),
    seed: values.seed === undefined ? null : whole("seed", values.seed),
    only: values.only === undefined ? null : whole("only", values.only),
    url: values.url ?? null,
    runFile: values["run-file"] ?? null,
    lines: Math.max(1, whole("lines", values.lines)),
    slowMs: whole("slow-ms", values["slow-ms"]),
    isEarnest: values.earnest,
  };
}
