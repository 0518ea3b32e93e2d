import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";

const accountId = "0192f0a0-1111-7222-8333-944455556666";
const read = (line: string) => readCommand(line.split(" "));

describe("the administrator's command line", () => {
  it.each([
    ["help", { kind: "help" }],
    ["kill --help", { kind: "help" }],
    ["stops", { kind: "stops" }],
    ["verify-audit", { kind: "verify-audit" }],
    ["reseal", { kind: "reseal" }],
    ["accept-build --reason rolled-back", { kind: "accept-build", reason: "rolled-back" }],
    [
      "create a@b.c",
      { kind: "person", verb: "create", email: "a@b.c", firstName: "Tradewind", lastName: "Administrator" },
    ],
    ["promote a@b.c", { kind: "person", verb: "promote", email: "a@b.c" }],
    [
      `kill reduce-only --account ${accountId}`,
      { kind: "kill", killState: "REDUCE_ONLY", target: { accountId }, reason: null },
    ],
    [
      "kill no-new-entries --all --reason news",
      { kind: "kill", killState: "NO_NEW_ENTRIES", target: "all", reason: "news" },
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
  ])("%s", (line, command) => {
    expect(read(line)).toMatchObject(command);
  });

  it.each([
    ["nothing", "", "Give a command."],
    ["an unknown command", "destroy --all", 'no command "destroy"'],
    ["an unknown state", "kill all --all", "Give a state"],
    ["no target", "kill flatten", "--account <id> or --all"],
    ["two targets", `flatten --all --account ${accountId}`, "--account <id> or --all"],
    ["an id that is none", "flatten --account mine", "is no account id"],
    ["letting go on without a reason", "kill none --all", "Give --reason"],
    ["resuming without a reason", `resume --account ${accountId}`, "Give --reason"],
    ["resetting everybody's mark", "resume --all --reset-mark --reason x", "--reset-mark goes with --account"],
    ["resolving without saying how", "resolve tw-1 --reason x", "adopt or give-up"],
    ["an unknown option", "stops --now", "--now"],
    ["words too many", `flatten everything --account ${accountId}`, "Too many words: everything"],
  ])("%s is refused with the help", (_, line, message) => {
    const attempt = () => readCommand(line === "" ? [] : line.split(" "));
    expect(attempt).toThrow(message);
    expect(attempt).toThrow("npm run admin -- <command>");
  });
});
