import { expect, it } from "vitest";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { db } from "@/lib/server/db.ts";
import { makeUser } from "@/prisma/factories.ts";
import { readCommand } from "./read-command.ts";
import { steer } from "./steer.ts";

/** The command as it is typed; answers its first line. */
async function admin(...args: string[]): Promise<string | undefined> {
  const command = readCommand(args);
  return (await steer(testContext(), command as Parameters<typeof steer>[1]))[0];
}
const eventsOf = async (eventType: string) =>
  (await db().auditEvent.findMany({ where: { eventType }, orderBy: { seq: "asc" } })).map(({ data }) => data);

it("a user is stopped and let go on by email, each with its row in the audit trail", async () => {
  const { id: userId, email } = await makeUser(db());
  expect(await admin("stop-user", email)).toContain(`REDUCE_ONLY for every account of ${email}`);
  expect(await admin("stop-user", email, "reduce-only")).toContain("Nothing to do");
  expect(await db().user.findUnique({ where: { id: userId } })).toMatchObject({ killState: "REDUCE_ONLY" });
  expect(await admin("resume-user", email, "--reason", "over")).toContain("NONE for every account");
  expect(await db().user.findUnique({ where: { id: userId } })).toMatchObject({ killState: "NONE" });
  expect(await eventsOf("USER_KILL_STATE_SET")).toMatchObject([
    { userId, from: "NONE", to: "REDUCE_ONLY" },
    { userId, from: "REDUCE_ONLY", to: "NONE" },
  ]);
  await expect(admin("stop-user", "nobody@example.com")).rejects.toThrow("User not found.");
});

it("a symbol is stopped in one market and let be bought again, each with its row in the audit trail", async () => {
  expect(await admin("stop-symbol", "tsla", "--market", "us", "--reason", "halted")).toContain("bought in no account");
  expect(await db().symbolStop.findMany()).toMatchObject([{ market: "US", symbol: "TSLA", reason: "halted" }]);
  expect(await admin("resume-symbol", "TSLA", "--market", "practice", "--reason", "x")).toContain("is not stopped");
  expect(await admin("resume-symbol", "TSLA", "--market", "us", "--reason", "over")).toContain("may be bought again");
  expect(await db().symbolStop.count()).toBe(0);
  expect(await eventsOf("SYMBOL_KILL_STATE_SET")).toMatchObject([
    { market: "US", symbol: "TSLA", from: "NONE", to: "REDUCE_ONLY" },
    { market: "US", symbol: "TSLA", from: "REDUCE_ONLY", to: "NONE" },
  ]);
});
