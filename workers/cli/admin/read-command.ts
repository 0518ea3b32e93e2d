import { parseArgs } from "node:util";
import type { KillStateName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Resolution } from "@/lib/server/services/automation/resolve-parked.ts";
import { isBooksVerb, readBooks, type BooksCommand } from "./read-books.ts";

export const HELP = `npm run admin -- <command>

People
  create <email> [first name] [last name]    makes an administrator; the password is read from standard input
  promote <email>                            makes an existing user an administrator
  reset <email>                              gives a new password, read from standard input

Trading
  stops                                      what is stopped, halted, asked for or parked
  kill <state> --account <id> | --all        sets a kill state: no-new-entries, reduce-only, flatten, none
  flatten --account <id> | --all             the same as kill flatten
  resume --account <id> [--reset-mark]       ends a halt once orders are settled and books agree;
                                             --reset-mark measures drawdown from today's equity and lifts its stop
  resume --all                               the same as kill none --all
  resolve <client order id> adopt|give-up    says what becomes of a parked order
  accept-build                               lets this build send orders after a newer one was taken back; stop the
                                             newer one first; needs --reason

Books
  take-broker-books --account <id>           shows what ending a difference of positions and cash would book: shares that
                                             appear are bought at the broker's average price, those that are not there
                                             are sold at cost, cash left over counts as paid in or out
  activities                                 what the broker reported and no rule books: spin-offs, removals, mergers
  book-activity <id> [<id> …] --account <id> shows what booking these legs of one corporate action would change;
                                             --source SYMBOL names the shares that stay (spin-offs); --cost-share NEW=0.25
                                             is the part of the old shares' cost that goes with the new ones (one for each
                                             new symbol); without it what the broker says that the new shares cost
  dismiss-activity <id> [<id> …] --account <id>  marks them as looked at and not booked; needs --reason
  close-unknown-order <client order id> --account <id>  closes an order that the broker does not know in two readings,
                                             while positions agree; needs --reason
  --confirm <hash>                           books what the preview of that hash showed; needs --reason

Proof
  verify-audit                               walks the whole audit chain and names the first row that is not as it was
                                             written; ends with 1 when there is one

Keys
  reseal                                     puts every sealed row under the newest master key; ends with 1 while rows
                                             are left under an older one

  --reason "<why>"                           kept in the audit trail; needed by resume, resolve and a freer state
  --all means every account of this installation. docs/operations.md says what to do when.`;

export type Target = { accountId: string } | "all";

export type Command =
  | { kind: "help" }
  | { kind: "person"; verb: "create" | "promote" | "reset"; email: string; firstName: string; lastName: string }
  | { kind: "stops" }
  | { kind: "verify-audit" }
  | BooksCommand
  | { kind: "reseal" }
  | { kind: "accept-build"; reason: string }
  | { kind: "kill"; killState: KillStateName; target: Target; reason: string | null }
  | { kind: "resume"; accountId: string; resetMark: boolean; reason: string }
  | { kind: "resolve"; clientOrderId: string; resolution: Resolution; reason: string };

const KILL_STATES = new Map<string, KillStateName>([
  ["none", "NONE"],
  ["no-new-entries", "NO_NEW_ENTRIES"],
  ["reduce-only", "REDUCE_ONLY"],
  ["flatten", "FLATTEN"],
]);
const RESOLUTIONS = new Map<string, Resolution>([
  ["adopt", "adopt"],
  ["give-up", "give_up"],
]);
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const wrong = (message: string) => new Failure("invalid_input", `${message}\n\n${HELP}`);

function optionsOf(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        account: { type: "string" },
        all: { type: "boolean", default: false },
        reason: { type: "string" },
        "reset-mark": { type: "boolean", default: false },
        confirm: { type: "string" },
        source: { type: "string" },
        "cost-share": { type: "string", multiple: true },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** What was asked for on the command line. Throws with the help where it is not clear. */
export function readCommand(args: string[]): Command {
  const { values, positionals } = optionsOf(args);
  const [verb = "", first, second, third, ...rest] = positionals;
  if (values.help || verb === "help") return { kind: "help" };
  if (isBooksVerb(verb)) return readBooks(verb, positionals.slice(1), values, wrong);
  const most = {
    create: 4,
    promote: 2,
    reset: 2,
    stops: 1,
    kill: 2,
    flatten: 1,
    resume: 1,
    resolve: 3,
    "verify-audit": 1,
    reseal: 1,
    "accept-build": 1,
  }[verb];
  if (most === undefined) throw wrong(verb === "" ? "Give a command." : `There is no command "${verb}".`);
  if (positionals.length > most || rest.length > 0) throw wrong(`Too many words: ${positionals.slice(most).join(" ")}`);

  const target = (): Target => {
    if (values.all === (values.account !== undefined)) throw wrong("Give --account <id> or --all.");
    if (values.account === undefined) return "all";
    if (!ID.test(values.account))
      throw wrong(`"${values.account}" is no account id; "stops" and the console show them.`);
    return { accountId: values.account };
  };
  const reason = () => {
    if (!values.reason?.trim()) throw wrong("Give --reason.");
    return values.reason;
  };
  const kill = (killState: KillStateName): Command => ({
    kind: "kill",
    killState,
    target: target(),
    reason: killState === "NONE" ? reason() : (values.reason ?? null),
  });

  switch (verb) {
    case "create":
    case "promote":
    case "reset":
      if (!first) throw wrong("Give an email address.");
      return {
        kind: "person",
        verb,
        email: first,
        firstName: second ?? "Tradewind",
        lastName: third ?? "Administrator",
      };
    case "stops":
      return { kind: "stops" };
    case "verify-audit":
      return { kind: "verify-audit" };
    case "reseal":
      return { kind: "reseal" };
    case "accept-build":
      return { kind: "accept-build", reason: reason() };
    case "kill": {
      const killState = KILL_STATES.get(first ?? "");
      if (!killState) throw wrong(`Give a state: ${[...KILL_STATES.keys()].join(", ")}.`);
      return kill(killState);
    }
    case "flatten":
      return kill("FLATTEN");
    case "resume": {
      const whom = target();
      if (whom !== "all") return { kind: "resume", ...whom, resetMark: values["reset-mark"], reason: reason() };
      if (values["reset-mark"]) throw wrong("--reset-mark goes with --account.");
      return kill("NONE");
    }
    default: {
      const resolution = RESOLUTIONS.get(second ?? "");
      if (!first || !resolution) throw wrong("Give a client order id, and adopt or give-up.");
      return { kind: "resolve", clientOrderId: first, resolution, reason: reason() };
    }
  }
}
