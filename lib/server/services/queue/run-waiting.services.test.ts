import { beforeEach, describe, expect, it } from "vitest";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeUser } from "@/prisma/factories.ts";
import { asJson } from "../../core/json.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { BACKTESTS } from "../backtests/claim-backtest.ts";
import { GRIDS } from "../backtests/claim-grid.ts";
import { PREVIEWS } from "../backtests/claim-preview.ts";
import { WHAT_IFS } from "../policy/claim-what-if.ts";
import { claimRun, type Run, type RunKind, writeRun } from "./claim-run.ts";
import { releaseThreads } from "./run-thread.ts";
import { runWaiting } from "./run-waiting.ts";

const DATES = { fromDate: dateOf("2020-01-10"), toDate: dateOf("2020-06-30") };
const SESSIONS = { sessionsDone: 40, sessionsTotal: 100, readPercent: 100 };
const ENDLESS = "data:text/javascript,setInterval(() => undefined, 1000)";

const context = testContext();
const silentAt = () => new Date(Date.now() - 16_000);

async function makeBacktest(status: "QUEUED" | "CANCELED" = "QUEUED") {
  const { id: userId } = await makeUser(db());
  const run = { name: "A run", market: "PRACTICE", strategy: "MOMENTUM", cash: "1000", preferences: {} } as const;
  return db().backtest.create({ data: { userId, ...run, ...DATES, policyVersion: "2.9.0", status } });
}

async function makeGrid() {
  const { id: backtestId, userId, market, strategy } = await makeBacktest("CANCELED");
  const axes = { rowAxis: "MAX_POSITIONS", columnAxis: "STOP_LOSS", values: {} } as const;
  return db().backtestGrid.create({ data: { userId, backtestId, market, strategy, ...axes } });
}

async function makePreview() {
  const { id: userId } = await makeUser(db());
  const tried = { market: "PRACTICE", sessions: 20, cash: "1000", draft: {}, saved: {} } as const;
  return db().settingsPreview.create({ data: { userId, ...tried, ...DATES, policyVersion: "2.9.0" } });
}

async function makeWhatIf() {
  const { id: requestedById } = await makeUser(db(), { role: "ADMIN" });
  const [version, policy] = ["2.9.1-tried", asJson(POLICY_2_9_0)];
  await db().policyVersion.upsert({ where: { version }, create: { version, content: policy }, update: {} });
  return db().whatIf.create({ data: { version, contentHash: requestedById, policy, cycles: 5, requestedById } });
}

/** One kind with its row, some progress, and what its owner reads after the third death. */
const caseOf = <Row extends Run, Columns>(
  kind: RunKind<Row, Columns>,
  make: () => Promise<Run>,
  progress: Columns,
  sentence: string,
) => ({
  event: kind.event,
  noProgress: kind.noProgress,
  sentence,
  make,
  claim: () => claimRun(context, kind),
  write: (run: Run, data: Parameters<typeof kind.update>[2]) => writeRun(context, kind, run, data),
  advance: (run: Run) => writeRun(context, kind, run, progress),
  read: ({ id }: Run) => kind.read(db(), id),
  run: () =>
    runWaiting(context, ENDLESS, {
      kind,
      claim: () => claimRun(context, kind),
      heapMb: 64,
      what: "The run",
      ask: "Ask again.",
      taskOf: (_, row) => writeRun(context, kind, row, progress),
      progressOf: () => progress,
      resultOf: () => ({ columns: progress, count: 0 }),
    }),
});

const CASES = [
  caseOf(
    BACKTESTS,
    makeBacktest,
    SESSIONS,
    "The worker ended 3 times while this backtest ran, so it is not started again. Choose fewer sessions and try again.",
  ),
  caseOf(
    GRIDS,
    makeGrid,
    { runsDone: 4, readPercent: 100 },
    "The worker ended 3 times while these settings were varied, so it is not started again.",
  ),
  caseOf(
    PREVIEWS,
    makePreview,
    SESSIONS,
    "The worker ended 3 times while these settings were tried, so it is not started again.",
  ),
  caseOf(
    WHAT_IFS,
    makeWhatIf,
    { decisionsDone: 40, decisionsTotal: 100 },
    "The worker ended 3 times while this what-if ran, so it is not started again. Choose fewer cycles and try again.",
  ),
];

beforeEach(async () => {
  await db().backtest.deleteMany();
  await db().settingsPreview.deleteMany();
  await db().whatIf.deleteMany();
});

describe.each(CASES)("$event", ({ event, noProgress, sentence, make, claim, write, advance, read }) => {
  it("the oldest is begun first, and of many workers one gets each", async () => {
    const made = [await make(), await make()].map(({ id }) => id);
    expect((await claim())?.id).toBe(made[0]);
    const claims = await Promise.all([claim(), claim(), claim()]);
    expect(claims.flatMap((row) => row?.id ?? [])).toEqual([made[1]]);
  });

  it("a run that was taken over begins anew, and its first worker writes nothing any more", async () => {
    await make();
    const lost = (await claim())!;
    expect(await advance(lost)).toBe(true);
    await write(lost, { beatAt: silentAt() });
    const again = (await claim())!;
    expect(again).toMatchObject({ id: lost.id, attempts: 2, ...noProgress });
    const failed = { status: "FAILED", error: "It failed." } as const;
    for (const data of [failed, { status: "QUEUED" }, { beatAt: new Date() }] as const)
      expect(await write(lost, data)).toBe(false);
    expect(await read(lost)).toEqual(again);
    expect(await write(again, failed)).toBe(true);
    expect(await write(again, { beatAt: new Date() }), "it has ended").toBe(false);
  });

  it("the third death fails it with a sentence of its own", async () => {
    const run = await make();
    for (let death = 0; death < 3; death += 1) await write((await claim())!, { beatAt: silentAt() });
    context.lines.length = 0;
    expect(await claim()).toBeNull();
    expect(await read(run)).toMatchObject({ status: "FAILED", error: sentence, finishedAt: expect.any(Date) });
    expect(context.lines).toMatchObject([{ level: "error", event: `${event}.dead-lettered`, fields: { count: 1 } }]);
  });
});

// Last: a worker that stops takes nothing up again.
it.each(CASES)("$event: a worker that stops puts it back as if it had not begun", async ({ noProgress, ...one }) => {
  const made = await one.make();
  context.lines.length = 0;
  const runs = one.run();
  releaseThreads();
  await runs;
  expect(await one.read(made)).toMatchObject({ status: "QUEUED", ...noProgress, startedAt: null, beatAt: null });
  expect(context.lines).toMatchObject([{ event: `${one.event}.requeued`, fields: { jobId: made.id } }]);
});
