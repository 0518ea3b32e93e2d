import * as z from "zod";
import { anyText, commandFailure, flag, oneOf, readArguments, refuse } from "@/lib/command.ts";
import { symbolIn } from "@/lib/contracts/kill-switch.ts";
import { MARKETS, type KillStateName, type MarketName } from "@/lib/domain/enums.ts";
import type { Resolution } from "@/lib/server/services/automation/resolve-parked.ts";
import { isBooksVerb, readBooks, type BooksCommand } from "./read-books.ts";

export const HELP = `Usage: npm run admin -- <command>

People
  create <email> [first name] [last name]    makes an administrator; the password is read from standard input
  promote <email>                            makes an existing user an administrator
  reset <email>                              gives a new password, read from standard input
  remove-second-factor <email>               removes authenticator app, passkeys and recovery codes of somebody who lost
                                             them all; their owner is told by mail

Trading
  stops                                      what is stopped, halted, asked for or parked
  kill <state> --account <id> | --all        sets a kill state: no-new-entries, reduce-only, flatten, none
  flatten --account <id> | --all             the same as kill flatten
  resume --account <id> [--reset-mark]       ends a halt once orders are settled and books agree;
                                             --reset-mark measures drawdown from today's equity and lifts its stop
  resume --all                               the same as kill none --all
  stop-user <email> [state]                  sets a kill state for every account of a user, later ones too (reduce-only)
  resume-user <email>                        ends it; their accounts keep their own states; needs --reason
  stop-symbol <symbol> --market practice|us  nobody's account of that market buys it; what is held is sold and protected
  resume-symbol <symbol> --market practice|us  lets it be bought again; needs --reason
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
  | { kind: "person"; verb: "create" | "promote" | "reset"; email: string; firstName: string; lastName: string }
  | { kind: "remove-second-factor"; email: string }
  | { kind: "stops" }
  | { kind: "verify-audit" }
  | BooksCommand
  | { kind: "reseal" }
  | { kind: "accept-build"; reason: string }
  | { kind: "kill"; killState: KillStateName; target: Target; reason: string | null }
  | { kind: "resume"; accountId: string; resetMark: boolean; reason: string }
  | { kind: "kill-user"; email: string; killState: KillStateName; reason: string | null }
  | { kind: "kill-symbol"; market: MarketName; symbol: string; isStop: boolean; reason: string | null }
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

const wrong = (message: string) => refuse(`${message}\n\n${HELP}`);

const OPTIONS = {
  account: anyText.optional(),
  all: flag,
  reason: anyText.optional(),
  "reset-mark": flag,
  confirm: anyText.optional(),
  source: anyText.optional(),
  "cost-share": z.array(anyText).optional(),
  market: oneOf(MARKETS).optional(),
};

function argumentsOf(args: string[]) {
  try {
    return readArguments(args, OPTIONS, Number.POSITIVE_INFINITY);
  } catch (error) {
    throw wrong(String(commandFailure(error).said));
  }
}

/** What was asked for on the command line, null for the help. Throws with the help where it is not clear. */
export function readCommand(args: string[]): Command | null {
  const given = argumentsOf(args);
  if (given === null || given.words[0] === "help") return null;
  const { values, words: positionals } = given;
  const [verb = "", first, second, third, ...rest] = positionals;
  if (isBooksVerb(verb)) return readBooks(verb, positionals.slice(1), values, wrong);
  const most = {
    create: 4,
    promote: 2,
    reset: 2,
    "remove-second-factor": 2,
    stops: 1,
    kill: 2,
    flatten: 1,
    resume: 1,
    "stop-user": 3,
    "resume-user": 2,
    "stop-symbol": 2,
    "resume-symbol": 2,
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
  const stateOf = (word: string | undefined): KillStateName => {
    const killState = KILL_STATES.get(word ?? "");
    if (!killState) throw wrong(`Give a state: ${[...KILL_STATES.keys()].join(", ")}.`);
    return killState;
  };
  /** Letting go on needs a reason, stopping does not. */
  const reasonFor = (killState: KillStateName) => (killState === "NONE" ? reason() : (values.reason ?? null));
  const killUser = (killState: KillStateName): Command => {
    if (!first) throw wrong("Give an email address.");
    return { kind: "kill-user", email: first, killState, reason: reasonFor(killState) };
  };
  const killSymbol = (isStop: boolean): Command => {
    const symbol = symbolIn.safeParse(first).data;
    if (symbol === undefined) throw wrong("Give a stock symbol, such as AAPL.");
    if (values.market === undefined) throw wrong("Give --market practice or --market us.");
    const why = isStop ? (values.reason ?? null) : reason();
    return { kind: "kill-symbol", market: values.market, symbol, isStop, reason: why };
  };
  const kill = (killState: KillStateName): Command => ({
    kind: "kill",
    killState,
    target: target(),
    reason: reasonFor(killState),
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
    case "remove-second-factor":
      if (!first) throw wrong("Give an email address.");
      return { kind: "remove-second-factor", email: first };
    case "stops":
      return { kind: "stops" };
    case "verify-audit":
      return { kind: "verify-audit" };
    case "reseal":
      return { kind: "reseal" };
    case "accept-build":
      return { kind: "accept-build", reason: reason() };
    case "kill":
      return kill(stateOf(first));
    case "stop-user":
      return killUser(second === undefined ? "REDUCE_ONLY" : stateOf(second));
    case "resume-user":
      return killUser("NONE");
    case "stop-symbol":
    case "resume-symbol":
      return killSymbol(verb === "stop-symbol");
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
