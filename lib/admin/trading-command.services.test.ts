import { expect, it } from "vitest";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { canaryBeats, endSplit, giveShare, parted } from "@/lib/proof/fixtures/split.ts";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import { readCanary } from "@/lib/server/services/system/read-canary.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { describeCanary } from "./describe-canary.ts";
import { readCommand } from "./read-command.ts";
import { runTradingCommand } from "./trading-command.ts";

/** The command as it is typed; answers its first line. */
async function admin(...args: string[]): Promise<string | undefined> {
  const command = readCommand(args);
  return (await runTradingCommand(testContext(), command as Parameters<typeof runTradingCommand>[1]))[0];
}
const eventsOf = async (eventType: string) =>
  (await db().auditEvent.findMany({ where: { eventType }, orderBy: { seq: "asc" } })).map(({ data }) => data);

it("a user is stopped and resumed by email, each with its row in the audit trail", async () => {
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

it("stops tells a queue that is paused, automation that is off, paused and disabled people, and what it leaves out", async () => {
  const stops = async () => runTradingCommand(testContext(), { kind: "stops" });
  const count = async () =>
    /paused for (\d+), disabled (\d+)/
      .exec((await stops()).join("\n"))
      ?.slice(1)
      .map(Number);
  expect(await stops()).toEqual(expect.arrayContaining(["Queue: active", "Automation: on"]));
  const [paused, disabled] = (await count()) ?? [];
  const flag = { name: "automation_enabled", environment: env().FLAG_ENVIRONMENT };
  await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: false } });
  await db().featureFlag.upsert({
    where: { name_environment: flag },
    create: { ...flag, description: "", enabled: false },
    update: { enabled: false },
  });
  const { id } = await makeUser(db());
  await db().user.update({ where: { id }, data: { automationPausedAt: new Date() } });
  await makeUser(db(), { disabledAt: new Date() });
  const symbols = Array.from({ length: 203 }, (_, n) => ({
    market: "US" as const,
    symbol: `S${n}`,
    setAt: new Date(),
  }));
  await db().symbolStop.createMany({ data: symbols });
  try {
    expect(await stops()).toEqual(
      expect.arrayContaining([
        "Queue: PAUSED by an administrator",
        "Automation: OFF (the flag automation_enabled): exits and stops keep working",
        "… and 3 more stopped symbols",
      ]),
    );
    expect(await count()).toEqual([Number(paused) + 1, Number(disabled) + 1]);
  } finally {
    await db().systemState.update({ where: { id: 1 }, data: { isQueueActive: true } });
    await db().featureFlag.update({ where: { name_environment: flag }, data: { enabled: true } });
    await db().symbolStop.deleteMany();
  }
});

it("a canary's share is set with a reason and taken back, each with its row in the audit trail, and the state is told", async () => {
  expect(await admin("canary")).toBe("Share: 0 %, every account is the ordinary workers'");
  expect(await admin("canary", "--share", "2.5", "--reason", "0.2.0")).toBe("The share was 0 %.");
  expect(await admin("canary", "--share", "2.5", "--reason", "again")).toBe("Nothing to do: the share stands.");
  expect(await admin("canary")).toBe("Share: 2.5 %, its accounts are the ordinary workers', as no canary lives");
  await canaryBeats();
  const [share, process] = describeCanary(await readCanary(testContext()));
  expect(share).toBe("Share: 2.5 %, its accounts are the canary's");
  expect(process).toMatch(/^Canary canary:1: build \S+, order protocol \d+, last beat 0 s ago$/);
  expect(await admin("canary", "--share", "0", "--reason", "over")).toBe("The share was 2.5 %.");
  expect(await eventsOf("CANARY_SHARE_SET")).toMatchObject([
    { from: 0, to: 250, reason: "0.2.0" },
    { from: 250, to: 0, reason: "over" },
  ]);
  await endSplit();
});

it("the accounts of the share are counted beside the others, with what they decided, doubt and fail in", async () => {
  const { id: userId } = await makeUser(db());
  const { inside, outside, share } = parted(await makeAccount(db(), userId), await makeAccount(db(), userId));
  await db().account.updateMany({ data: { sealedKeys: "sealed" } });
  await db().account.update({ where: { id: inside.id }, data: { haltedAt: new Date(), haltReason: "test" } });
  const at = new Date();
  await db().schedule.create({
    data: { key: "order-status:x", job: "order-status", accountId: outside.id, dueAt: at, lastStatus: "failed" },
  });
  await db().invariantCheck.create({
    data: {
      scope: inside.id,
      accountId: inside.id,
      checkedAt: at,
      durationMs: 1,
      isWhole: false,
      brokenSince: at,
      breaches: [{ invariant: "I1" }],
    },
  });
  await giveShare(share);
  const { canary, others } = await readCanary(testContext());
  expect(canary).toEqual({ accounts: 1, decisions: 0, ordersInDoubt: 0, failing: 0, halted: 1, broken: 1 });
  expect(others).toEqual({ accounts: 1, decisions: 0, ordersInDoubt: 0, failing: 1, halted: 0, broken: 0 });
  await endSplit();
});
