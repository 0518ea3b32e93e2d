import * as z from "zod";
import { anyText, commandFailure, flag, oneOf, readArguments, refuse, shareOfWhole } from "@/lib/command.ts";
import { symbolIn } from "@/lib/contracts/kill-switch.ts";
import { MARKETS, type KillStateName, type MarketName } from "@/lib/domain/enums.ts";
import type { Resolution } from "@/lib/server/services/automation/resolve-parked.ts";
import { isBooksVerb, readBooks, type BooksCommand } from "./read-books.ts";

export const HELP = `Usage: npm run admin -- <command>

People
  create <email> [first name] [last name]    makes an administrator; the password is read from standard input
  promote <email>                            makes an existing user an administrator
  reset <email>                              gives a new password, read from standard input
  remove-second-factor <email>               removes authenticator app, passkeys and recovery codes of someone who lost
                                             them all; the user is notified by email

Trading
  stops                                      what is stopped, halted, asked for or parked
  kill <state> --account <id> | --all        sets a kill state: no-new-entries, reduce-only, flatten, none
  flatten --account <id> | --all             the same as kill flatten
  resume --account <id> [--reset-mark]       ends a halt once orders are settled and books agree;
                                             --reset-mark measures drawdown from today's equity and lifts its stop
  resume --all                               the same as kill none --all
  stop-user <email> [state]                  sets a kill state for every account of a user, later ones too (reduce-only)
  resume-user <email>                        ends it; their accounts keep their own states; needs --reason
  stop-symbol <symbol> --market practice|us  no account of that market buys it; what is held is sold and protected
  resume-symbol <symbol> --market practice|us  lets it be bought again; needs --reason
  resolve <client order id> adopt|give-up    says what becomes of a parked order
  accept-build                               lets this build send orders after a newer one was taken back; stop the
                                             newer one first; needs --reason
  canary                                     which accounts a canary worker takes, who lives, and how they fare beside the
                                             others; --share <percent> sets it, 0 gives all back; needs --reason

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
  audit-key                                  the public key of the audit trail's signatures, for the offline verifier
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
  | { kind: "audit-key" }
  | BooksCommand
  | { kind: "reseal" }
  | { kind: "accept-build"; reason: string }
  | { kind: "canary"; change: { share: number; reason: string } | null }
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
  share: shareOfWhole.optional(),
};

function argumentsOf(args: string[]) {
  try {
    return readArguments(args, OPTIONS, Number.POSITIVE_INFINITY);
  } catch (error) {
    throw wrong(String(commandFailure(error).said));
  }
}

type Values = NonNullable<ReturnType<typeof argumentsOf>>["values"];

function targetOf({ all, account }: Values): Target {
  if (all === (account !== undefined)) throw wrong("Give --account <id> or --all.");
  if (account === undefined) return "all";
  if (!ID.test(account)) throw wrong(`"${account}" is no account id; "stops" and the console show them.`);
  return { accountId: account };
}

function reasonOf({ reason }: Values): string {
  if (!reason?.trim()) throw wrong("Give --reason.");
  return reason;
}

function emailOf(word: string | undefined): string {
  if (!word) throw wrong("Give an email address.");
  return word;
}

function stateOf(word: string | undefined): KillStateName {
  const killState = KILL_STATES.get(word ?? "");
  if (!killState) throw wrong(`Give a state: ${[...KILL_STATES.keys()].join(", ")}.`);
  return killState;
}

/** Resuming needs a reason, stopping does not. */
const reasonFor = (killState: KillStateName, values: Values) =>
  killState === "NONE" ? reasonOf(values) : (values.reason ?? null);

function kill(killState: KillStateName, values: Values): Command {
  return { kind: "kill", killState, target: targetOf(values), reason: reasonFor(killState, values) };
}

function killUser(word: string | undefined, killState: KillStateName, values: Values): Command {
  return { kind: "kill-user", email: emailOf(word), killState, reason: reasonFor(killState, values) };
}

function killSymbol(word: string | undefined, isStop: boolean, values: Values): Command {
  const symbol = symbolIn.safeParse(word).data;
  if (symbol === undefined) throw wrong("Give a stock symbol, such as AAPL.");
  if (values.market === undefined) throw wrong("Give --market practice or --market us.");
  const reason = isStop ? (values.reason ?? null) : reasonOf(values);
  return { kind: "kill-symbol", market: values.market, symbol, isStop, reason };
}

function resume(values: Values): Command {
  const target = targetOf(values);
  if (target !== "all") return { kind: "resume", ...target, resetMark: values["reset-mark"], reason: reasonOf(values) };
  if (values["reset-mark"]) throw wrong("--reset-mark goes with --account.");
  return kill("NONE", values);
}

function resolve(id: string | undefined, word: string | undefined, values: Values): Command {
  const resolution = RESOLUTIONS.get(word ?? "");
  if (!id || !resolution) throw wrong("Give a client order id, and adopt or give-up.");
  return { kind: "resolve", clientOrderId: id, resolution, reason: reasonOf(values) };
}

type Positionals = readonly (string | undefined)[];

interface Verb {
  /** Words behind the verb, at most. */
  most: number;
  read(positionals: Positionals, values: Values): Command;
}

const person = (verb: "create" | "promote" | "reset", most: number): Verb => ({
  most,
  read: ([email, firstName = "Tradewind", lastName = "Administrator"]) => ({
    kind: "person",
    verb,
    email: emailOf(email),
    firstName,
    lastName,
  }),
});

const VERBS = new Map<string, Verb>(
  Object.entries({
    create: person("create", 3),
    promote: person("promote", 1),
    reset: person("reset", 1),
    "remove-second-factor": {
      most: 1,
      read: ([email]) => ({ kind: "remove-second-factor", email: emailOf(email) }),
    },
    stops: { most: 0, read: () => ({ kind: "stops" }) },
    kill: { most: 1, read: ([state], values) => kill(stateOf(state), values) },
    flatten: { most: 0, read: (_, values) => kill("FLATTEN", values) },
    resume: { most: 0, read: (_, values) => resume(values) },
    "stop-user": {
      most: 2,
      read: ([email, state], values) => killUser(email, state === undefined ? "REDUCE_ONLY" : stateOf(state), values),
    },
    "resume-user": { most: 1, read: ([email], values) => killUser(email, "NONE", values) },
    "stop-symbol": { most: 1, read: ([symbol], values) => killSymbol(symbol, true, values) },
    "resume-symbol": { most: 1, read: ([symbol], values) => killSymbol(symbol, false, values) },
    resolve: { most: 2, read: ([id, resolution], values) => resolve(id, resolution, values) },
    "verify-audit": { most: 0, read: () => ({ kind: "verify-audit" }) },
    "audit-key": { most: 0, read: () => ({ kind: "audit-key" }) },
    reseal: { most: 0, read: () => ({ kind: "reseal" }) },
    "accept-build": { most: 0, read: (_, values) => ({ kind: "accept-build", reason: reasonOf(values) }) },
    canary: {
      most: 0,
      read: (_, values) => ({
        kind: "canary",
        change: values.share === undefined ? null : { share: values.share, reason: reasonOf(values) },
      }),
    },
  } satisfies Record<string, Verb>),
);

/** What was asked for on the command line, null for the help. Throws with the help where it is not clear. */
export function readCommand(args: string[]): Command | null {
  const given = argumentsOf(args);
  if (given === null || given.positionals[0] === "help") return null;
  const [verb = "", ...positionals] = given.positionals;
  if (isBooksVerb(verb)) return readBooks(verb, positionals, given.values, wrong);
  const found = VERBS.get(verb);
  if (!found) throw wrong(verb === "" ? "Give a command." : `There is no command "${verb}".`);
  if (positionals.length > found.most) throw wrong(`Too many words: ${positionals.slice(found.most).join(" ")}`);
  return found.read(positionals, given.values);
}
