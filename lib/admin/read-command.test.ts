import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";

const accountId = "0192f0a0-1111-7222-8333-944455556666";
const read = (line: string) => readCommand(line.split(" "));

describe("the administrator's command line", () => {
  it.each([
    ["stops", { kind: "stops" }],
    ["verify-audit", { kind: "verify-audit" }],
    ["audit-key", { kind: "audit-key" }],
    ["reseal", { kind: "reseal" }],
    ["accept-build --reason rolled-back", { kind: "accept-build", reason: "rolled-back" }],
    [
      "create a@b.c",
      { kind: "person", verb: "create", email: "a@b.c", firstName: "Tradewind", lastName: "Administrator" },
    ],
    ["remove-second-factor a@b.c", { kind: "remove-second-factor", email: "a@b.c" }],
    ["promote a@b.c", { kind: "person", verb: "promote", email: "a@b.c" }],
    [
      `kill reduce-only --account ${accountId}`,
      { kind: "kill", killState: "REDUCE_ONLY", target: { accountId }, reason: null },
    ],
    [
      "kill no-new-entries --all --reason news",
      { kind: "kill", killState: "NO_NEW_ENTRIES", target: "all", reason: "news" },
    ],
    ["stop-user a@b.c", { kind: "kill-user", email: "a@b.c", killState: "REDUCE_ONLY", reason: null }],
    ["stop-user a@b.c flatten --reason x", { kind: "kill-user", killState: "FLATTEN", reason: "x" }],
    ["resume-user a@b.c --reason over", { kind: "kill-user", killState: "NONE", reason: "over" }],
    ["stop-symbol tsla --market us", { kind: "kill-symbol", market: "US", symbol: "TSLA", isStop: true, reason: null }],
    [
      "resume-symbol TSLA --market practice --reason over",
      { kind: "kill-symbol", market: "PRACTICE", isStop: false, reason: "over" },
    ],
    ["flatten --all", { kind: "kill", killState: "FLATTEN", target: "all", reason: null }],
    ["kill none --all --reason over", { kind: "kill", killState: "NONE", target: "all", reason: "over" }],
    ["resume --all --reason over", { kind: "kill", killState: "NONE", target: "all", reason: "over" }],
    [`resume --account ${accountId} --reason ok`, { kind: "resume", accountId, resetMark: false, reason: "ok" }],
    [`resume --account ${accountId} --reset-mark --reason ok`, { kind: "resume", resetMark: true }],
    [
      "resolve tw-1 give-up --reason gone",
      { kind: "resolve", clientOrderId: "tw-1", resolution: "give_up", reason: "gone" },
    ],
    ["resolve tw-1 adopt --reason there", { kind: "resolve", resolution: "adopt" }],
    ["activities", { kind: "activities" }],
    [`take-broker-books --account ${accountId}`, { kind: "take-broker-books", accountId, confirm: null }],
    [
      `take-broker-books --account ${accountId} --confirm ab12 --reason checked`,
      { kind: "take-broker-books", accountId, confirm: "ab12", reason: "checked" },
    ],
    [
      `book-activity a b --account ${accountId} --source OLD --cost-share NEW=0.25 --cost-share OTHER=0.1`,
      { kind: "book-activity", activityIds: ["a", "b"], source: "OLD", costShares: { NEW: "0.25", OTHER: "0.1" } },
    ],
    [
      `dismiss-activity a --account ${accountId} --reason known`,
      { kind: "dismiss-activity", activityIds: ["a"], reason: "known" },
    ],
    [
      `close-unknown-order tw-1 --account ${accountId} --reason gone`,
      { kind: "close-unknown-order", clientOrderId: "tw-1", reason: "gone" },
    ],
    ["canary", { kind: "canary", change: null }],
    ["canary --share 0 --reason broken", { kind: "canary", change: { share: 0, reason: "broken" } }],
    ["canary --share 2.5 --reason 0.2.0", { kind: "canary", change: { share: 250, reason: "0.2.0" } }],
  ])("%s", (line, command) => {
    expect(read(line)).toMatchObject(command);
  });

  it.each(["help", "kill --help", "--help"])("%s asks for the help", (line) => {
    expect(read(line)).toBeNull();
  });

  it.each([
    ["nothing", "", "Give a command."],
    ["an unknown command", "destroy --all", 'no command "destroy"'],
    ["an unknown state", "kill all --all", "Give a state"],
    ["stopping no user", "stop-user", "Give an email address"],
    ["resuming a user without a reason", "resume-user a@b.c", "Give --reason"],
    ["a symbol of no market", "stop-symbol TSLA", "Give --market"],
    ["a symbol of an unknown market", "stop-symbol TSLA --market moon", "--market is one of PRACTICE, US"],
    ["a symbol that is none", "stop-symbol 7/8 --market us", "Give a stock symbol"],
    ["letting a symbol be bought without a reason", "resume-symbol TSLA --market us", "Give --reason"],
    ["no target", "kill flatten", "--account <id> or --all"],
    ["two targets", `flatten --all --account ${accountId}`, "--account <id> or --all"],
    ["an id that is none", "flatten --account mine", "is no account id"],
    ["resuming without a reason", "kill none --all", "Give --reason"],
    ["resuming without a reason", `resume --account ${accountId}`, "Give --reason"],
    ["resetting the mark of all accounts", "resume --all --reset-mark --reason x", "--reset-mark goes with --account"],
    ["resolving without saying how", "resolve tw-1 --reason x", "adopt or give-up"],
    ["taking over books of no account", "take-broker-books", "Give --account"],
    [
      "booking what was shown without a reason",
      `take-broker-books --account ${accountId} --confirm ab`,
      "Give --reason",
    ],
    ["booking no activity", `book-activity --account ${accountId}`, "Give the ids of the activity"],
    ["a share over the whole", `book-activity a --account ${accountId} --cost-share N=1.5`, "no share of the cost"],
    ["a share of nothing", `book-activity a --account ${accountId} --cost-share 0.5`, "no share of the cost"],
    ["dismissing without a reason", `dismiss-activity a --account ${accountId}`, "Give --reason"],
    ["closing no order", `close-unknown-order --account ${accountId} --reason x`, "Give the client order id"],
    ["closing two orders", `close-unknown-order a b --account ${accountId} --reason x`, "Too many words: b"],
    ["a canary's share without a reason", "canary --share 5", "Give --reason"],
    ["a share above the whole", "canary --share 101 --reason x", "a percentage from 0 to 100"],
    ["a share finer than the hash", "canary --share 0.125 --reason x", "at most two decimals"],
    ["an unknown option", "stops --now", "--now"],
    ["words too many", `flatten everything --account ${accountId}`, "Too many words: everything"],
  ])("%s is refused with the help", (_, line, message) => {
    const attempt = () => readCommand(line === "" ? [] : line.split(" "));
    expect(attempt).toThrow(message);
    expect(attempt).toThrow("npm run admin -- <command>");
  });
});
