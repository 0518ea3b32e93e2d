import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { POLICY_2_9_0, type Policy } from "@/lib/domain/policy.ts";
import { withPolicyFields } from "@/lib/domain/policy-changes.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db, type Prisma } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { look, openTrader, ROOMY, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { releaseThreads } from "../queue/run-thread.ts";
import { activatePolicy } from "./activate-policy.ts";
import { WHAT_IF_PROGRAM } from "@/lib/proof/fixtures/policy.ts";
import { claimWhatIf } from "./claim-what-if.ts";
import { contentHash } from "./content-hash.ts";
import { createDraft, editDraft } from "./draft-policy.ts";
import { runWhatIfs } from "./run-what-ifs.ts";
import type { WhatIfOutcome } from "./serve-what-if.ts";
import { cancelWhatIf, startWhatIf } from "./start-what-if.ts";

const LONG = 240_000;
const ENDLESS = "data:text/javascript,setInterval(() => undefined, 1000)";
const EMPTY = `data:text/javascript,import { parentPort } from "node:worker_threads";
parentPort.postMessage({ kind: "done", outcome: { environments: [] } });`;

let exchange: Exchange;
let context: Context;
let admin: Context<"admin">;

beforeAll(async () => {
  exchange = await startMarketDay();
  context = systemContext("test");
  await ensureFlags(context);
  const { id: userId } = await makeUser(db(), { role: "ADMIN" });
  admin = { ...context, actor: { kind: "user", userId, role: "ADMIN", signInId: "test" } };
  await openTrader(context, ROOMY);
  for (const minutes of [0, 6, 10]) await look(exchange, context, minutes);
}, LONG);
afterAll(() => exchange.close());
beforeEach(() => db().whatIf.deleteMany());

const version = "2.9.1-tried";
function changed(fields: Record<string, number>): Policy {
  const next = withPolicyFields(POLICY_2_9_0, fields);
  if (!next.ok) throw new Error(JSON.stringify(next.issues));
  return { ...next.policy, version };
}

async function queued(policy: Policy, cycles = 100) {
  await db().policyVersion.upsert({
    where: { version },
    create: { version, content: policy as unknown as Prisma.InputJsonObject },
    update: {},
  });
  return db().whatIf.create({
    data: {
      version,
      contentHash: contentHash(policy),
      policy: policy as unknown as Prisma.InputJsonObject,
      cycles,
      requestedById: (admin.actor as { userId: string }).userId,
    },
  });
}

const read = (id: string) => db().whatIf.findUniqueOrThrow({ where: { id } });

it(
  "an unchanged draft shows zero differences in every recorded decision; a stricter one leaves entries out; both are labelled with their environment",
  async () => {
    const same = await queued(changed({}));
    const strict = await queued(changed({ "signals_confidence.min_confidence": 1 }));
    // Twice at once: each run is still done once.
    await Promise.all([runWhatIfs(context, WHAT_IF_PROGRAM), runWhatIfs(context, WHAT_IF_PROGRAM)]);
    const decisions = await db().decisionRecord.count();
    expect(decisions).toBeGreaterThan(1);
    const [one, two] = [await read(same.id), await read(strict.id)];
    expect([one.status, one.error, one.attempts, two.status, two.attempts]).toEqual(["DONE", null, 1, "DONE", 1]);
    const nothing = one.report as unknown as WhatIfOutcome;
    expect(nothing).toMatchObject({ changedFields: [], recordedVersions: ["2.9.0"] });
    expect(nothing.environments).toMatchObject([{ environment: "PRACTICE", decisions, decisionsChanged: 0 }]);
    expect(nothing.environments[0]?.draft).toEqual(nothing.environments[0]?.recorded);
    const less = two.report as unknown as WhatIfOutcome;
    expect(less.changedFields).toEqual([{ path: "signals_confidence.min_confidence", from: 0.7, to: 1 }]);
    const [practice] = less.environments;
    expect(practice?.recorded.entries).toBeGreaterThan(0);
    expect(practice?.draft.entries).toBe(0);
    expect(practice?.entriesRemoved.count).toBe(practice?.recorded.entries);
    expect([two.decisionsDone, two.decisionsTotal]).toEqual([decisions, decisions]);
    expect(less.unknown.length).toBeGreaterThan(3);
  },
  LONG,
);

it(
  "as many cycles as were asked for, the latest ones",
  async () => {
    const { id } = await queued(changed({ [`exits.trend_closes`]: 3 }), 1);
    await runWhatIfs(context, WHAT_IF_PROGRAM);
    const report = (await read(id)).report as unknown as WhatIfOutcome;
    const last = await db().cycle.findFirstOrThrow({
      where: { decisions: { some: {} } },
      orderBy: { startedAt: "desc" },
    });
    expect(report).toMatchObject({
      cycles: 1,
      markets: [
        { market: "PRACTICE", cycles: 1, from: last.startedAt.toISOString(), to: last.startedAt.toISOString() },
      ],
    });
  },
  LONG,
);

it("a run whose worker died is begun again, what the first one still writes is not taken, and a third death ends it", async () => {
  const { id } = await queued(changed({}));
  const lost = await claimWhatIf(context);
  expect(await claimWhatIf(context), "its worker beats").toBeNull();
  const silent = () => db().whatIf.update({ where: { id }, data: { beatAt: new Date(Date.now() - 16_000) } });
  await silent();
  expect((await claimWhatIf(context))?.attempts).toBe(2);
  const fenced = await db().whatIf.updateMany({
    where: { id, status: "RUNNING", attempts: lost?.attempts ?? 0 },
    data: { status: "DONE" },
  });
  expect(fenced.count).toBe(0);
  await silent();
  await claimWhatIf(context);
  await silent();
  expect(await claimWhatIf(context)).toBeNull();
  expect(await read(id)).toMatchObject({ status: "FAILED", error: expect.stringContaining("ended 3 times") });
});

it(
  "a run that is cancelled while it runs ends within its next heartbeat and leaves nothing",
  async () => {
    const { id } = await queued(changed({}));
    const runs = runWhatIfs(context, ENDLESS);
    await expect.poll(async () => (await read(id)).status, { timeout: 20_000 }).toBe("RUNNING");
    await cancelWhatIf(admin, { id });
    await runs;
    expect(await read(id)).toMatchObject({ status: "CANCELED", report: null });
  },
  LONG,
);

it("a report that comes after the run was cancelled is discarded, and the log says so", async () => {
  const { id } = await queued(changed({}));
  // Cancelled at the last moment: between the end of the thread and the report's storing.
  const late = context.db.$extends({
    query: {
      whatIf: {
        updateMany: async ({ args, query }) => {
          if (args.data.status === "DONE") await cancelWhatIf(admin, { id });
          return query(args);
        },
      },
    },
  });
  const { lines, log } = testContext();
  await runWhatIfs({ ...context, db: late as unknown as Context["db"], log }, EMPTY);
  expect(await read(id)).toMatchObject({ status: "CANCELED", report: null });
  expect(lines).toMatchObject([{ event: "what-if.completed", fields: { jobId: id, count: 0, state: "discarded" } }]);
});

it(
  "a thread that ends without an answer fails the run, not the worker",
  async () => {
    const { id } = await queued(changed({}));
    await runWhatIfs(context, `data:text/javascript,throw new Error("unexpected")`);
    expect(await read(id)).toMatchObject({
      status: "FAILED",
      error: expect.stringContaining("aborted by an unexpected error"),
    });
  },
  LONG,
);

it(
  "the cycle after an activation decides under the new version, the one after the roll back under the old one",
  async () => {
    const draft = await createDraft(admin, { from: "2.9.0", version: "2.9.2" });
    const { revision } = await editDraft(admin, {
      version: draft.version,
      revision: 1,
      fields: { "signals_confidence.min_confidence": 1 },
    });
    await startWhatIf(admin, { version: draft.version, revision, cycles: 5 });
    await runWhatIfs(context, WHAT_IF_PROGRAM);
    const under = async () =>
      (await db().decisionRecord.findFirstOrThrow({ orderBy: { decidedAt: "desc" } })).policyVersion;
    await activatePolicy(admin, { version: "2.9.2", revision, replaces: "2.9.0", confirm: "2.9.2" });
    await look(exchange, context, 10);
    expect(await under()).toBe("2.9.2");
    await activatePolicy(admin, { version: "2.9.0", revision: 1, replaces: "2.9.2", confirm: "2.9.0" });
    await look(exchange, context, 10);
    expect(await under()).toBe("2.9.0");
  },
  LONG,
);

it(
  "a worker that stops puts its run back for the next one",
  async () => {
    const { id } = await queued(changed({}));
    const runs = runWhatIfs(context, ENDLESS);
    await expect.poll(async () => (await read(id)).status, { timeout: 20_000 }).toBe("RUNNING");
    releaseThreads();
    await runs;
    expect(await read(id)).toMatchObject({ status: "QUEUED", beatAt: null, startedAt: null });
  },
  LONG,
);
