import { beforeEach, expect, it } from "vitest";
import type { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import type { backtestsApi } from "@/lib/contracts/backtests.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { readHistory, tradedSessions } from "@/lib/backtest/read-history.ts";
import { cellOf } from "@/lib/domain/backtest/grid.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { ENDLESS_PROGRAM, GRID_PROGRAM, marketOfFile, THREAD_PROGRAM } from "@/lib/proof/fixtures/backtests.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { marketData } from "@/lib/server/providers/market-data-registry.ts";
import { claimGrid } from "@/lib/server/services/backtests/claim-grid.ts";
import { runBacktests } from "@/lib/server/services/backtests/run-backtests.ts";
import { runGrids } from "@/lib/server/services/backtests/run-grids.ts";
import { releaseThreads } from "@/lib/server/services/queue/run-thread.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as backtests from "../../route.ts";
import * as oneBacktest from "../route.ts";
import * as door from "./route.ts";

type View = Answer<typeof backtestGridsApi.start>;
type Read = Answer<typeof backtestGridsApi.read>;

const LONG = 180_000;
const [FROM, TO] = ["2020-03-16", "2020-06-30"];
const PAIR = { rows: "MAX_POSITIONS", columns: "STOP_LOSS" };

const market = marketOfFile();
let token: string;
let userId: string;

beforeEach(async () => {
  await db().backtest.deleteMany();
  await db().lease.deleteMany();
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
});

const context = () => testContext({ marketData });
const SETTINGS = {
  strategy: "MEAN_REVERSION",
  riskTolerance: "medium",
  riskLevel: "MEDIUM",
  defaultOrderSize: 5000,
  maxPositions: 4,
  maxPositionValue: 8000,
  profitTarget: 10,
  stopLoss: 5,
};

async function asked(): Promise<string> {
  const body = { market: "PRACTICE", from: FROM, to: TO, cash: 100_000, settings: SETTINGS };
  const answer = await callDoor(backtests, "POST", { token, body });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json?.data as unknown as { id: string }).id;
}

/** A backtest that has come to its end, without having been played. */
async function finished(owner = userId): Promise<string> {
  const { preferences } = readOptions(["--tape", market.tape])!;
  const row = await db().backtest.create({
    data: {
      ...{ userId: owner, name: "A run", market: "PRACTICE", strategy: "MEAN_REVERSION", cash: "100000" },
      ...{ fromDate: new Date(FROM), toDate: new Date(TO), policyVersion: "2.9.0", status: "DONE" },
      preferences: { ...preferences, ...textsOf(SETTINGS) },
      figures: [],
      record: {},
    },
  });
  return row.id;
}

const textsOf = ({ riskTolerance, ...settings }: typeof SETTINGS) => ({
  ...settings,
  riskTolerance: riskTolerance.toUpperCase(),
  ...Object.fromEntries(
    (["defaultOrderSize", "maxPositionValue", "profitTarget", "stopLoss"] as const).map((name) => [
      name,
      String(settings[name]),
    ]),
  ),
});

const start = (id: string, body: object = PAIR, as = token) =>
  callDoor(door, "POST", { token: as, params: { id }, body });
const started = async (id: string, body: object = PAIR) => {
  const answer = await start(id, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as View;
};
const read = (id: string, as = token) => callDoor(door, "GET", { token: as, params: { id } });
const readView = async (id: string) => (await read(id)).json?.data as unknown as Read;
const readGrid = async (id: string) => (await readView(id)).grid!;
const play = (program = GRID_PROGRAM) => runGrids(context(), program);
const listed = async () =>
  (await callDoor(backtests, "GET", { token })).json?.data as unknown as Answer<typeof backtestsApi.list>;
const readBacktest = async (id: string) =>
  (await callDoor(oneBacktest, "GET", { token, params: { id } })).json?.data as unknown as Answer<
    typeof backtestsApi.read
  >;

/** As the command figures it, straight from the tape. */
function commandCell(change: Partial<PreferencesView>) {
  const { policy, preferences, cash, seed } = readOptions(["--tape", market.tape])!;
  const index = readHistory(market.tape, seed);
  const { from, to } = tradedSessions(index, policy.selector_top50.min_bars, { from: FROM, to: TO });
  const settings = { ...preferences, ...textsOf(SETTINGS), ...change } as PreferencesView;
  return cellOf(runBacktest({ index, policy, preferences: settings, cash, seed, from, to }));
}

it(
  "two settings are varied around the backtest, whose own cell has its own figures to the last digit, and the runs count as tries",
  async () => {
    const id = await asked();
    await runBacktests(context(), THREAD_PROGRAM);
    const backtest = await readBacktest(id);
    expect(backtest.result?.overfit.tries).toBe(1);
    const before = await readView(id);
    expect([before.grid, before.played]).toEqual([null, []]);
    expect(before.axes.map(({ label, values, own }) => [label, values, own])).toEqual([
      ["Max positions", ["2", "3", "4", "6", "8"], 2],
      ["Position size", ["$2,500", "$3,750", "$5,000", "$7,500", "$10,000"], 2],
      ["Profit target", ["5%", "7.5%", "10%", "15%", "20%"], 2],
      ["Stop loss", ["2.5%", "3.8%", "5%", "7.5%", "10%"], 2],
    ]);
    // Whichever way round it is asked for.
    const waiting = await started(id, { rows: "STOP_LOSS", columns: "MAX_POSITIONS" });
    expect(waiting).toMatchObject({
      status: "QUEUED",
      isStalled: true,
      progress: { done: 0, total: 25, readPercent: null },
      rows: { axis: "MAX_POSITIONS", own: 2 },
      columns: { axis: "STOP_LOSS", own: 2 },
      result: null,
    });
    expect((await listed()).overfit[0]?.tries, "what is not played is no try").toBe(1);
    await play();
    const done = await readGrid(id);
    expect([done.id, done.status, done.error]).toEqual([waiting.id, "DONE", null]);
    expect(done.progress).toEqual({ done: 25, total: 25, readPercent: 100 });
    expect((await readView(id)).played).toEqual([PAIR]);
    const { cells, sentence, tries, drift } = done.result!;
    expect(cells.map((line) => line.length)).toEqual([5, 5, 5, 5, 5]);

    const figure = (name: string) => {
      const { value, reason } = backtest.result!.figures.find((one) => one.id === name)!;
      return { value, reason };
    };
    const own = cells[2]![2]!;
    expect(own).toEqual({
      totalReturn: figure("total_return"),
      maxDrawdown: figure("max_drawdown"),
      sharpe: figure("sharpe"),
      trades: figure("trades"),
      exposure: figure("mean_exposure"),
    });
    expect([drift, own.sharpe.value === null]).toEqual([null, false]);
    expect(own.trades.value, "the market is traded").toBeGreaterThan(3);
    for (const [row, column, change] of [
      [0, 2, { maxPositions: 2 }],
      [2, 0, { stopLoss: "2.5" }],
      [4, 1, { maxPositions: 8, stopLoss: "3.8" }],
    ] as const)
      expect(cells[row]![column]).toEqual(commandCell(change));
    expect(cells[0]![2], "the settings matter").not.toEqual(own);
    expect(sentence).toMatch(/^(\d+|None) of the 24 other runs made money.* of 25/);
    expect(tries).toContain("The other 24 runs count as tries");

    const after = await readBacktest(id);
    expect(after.result?.overfit.tries).toBe(25);
    const deflated = (run: typeof backtest) => run.result!.figures.find((one) => one.id === "deflated_sharpe")!.value!;
    expect(deflated(after), "the best of more tries is worth less").toBeLessThan(deflated(backtest));

    // Asked for again it is the same, and counts once.
    expect(await started(id)).toMatchObject({ id: done.id, status: "DONE", result: done.result });
    // What was found goes with the backtest; that it was tried stays.
    expect((await callDoor(oneBacktest, "DELETE", { token, params: { id } })).status).toBe(200);
    expect((await read(id)).status).toBe(404);
    expect((await start(id)).status).toBe(404);
    expect((await db().backtestGrid.findFirstOrThrow({ where: { userId } })).result).toBeNull();
    expect((await listed()).overfit[0]?.tries).toBe(25);
  },
  LONG,
);

it("a grid that differs from an earlier backtest says so", async () => {
  const id = await finished();
  await started(id);
  const [cell, cells] = [commandCell({}), 5];
  await db().backtestGrid.updateMany({
    data: {
      status: "DONE",
      tries: 24,
      sharpes: [],
      result: JSON.parse(
        JSON.stringify(Array.from({ length: cells }, () => Array.from({ length: cells }, () => cell))),
      ),
    },
  });
  expect((await readGrid(id)).result).toMatchObject({
    drift: expect.stringContaining("has changed since it ran"),
    sentence: expect.stringMatching(/^All 25 runs (made|lost) .* made no difference/),
  });
});

it(
  "a person has one open question: the next replaces it, of another backtest too, and its run ends",
  async () => {
    const [id, other] = [await finished(), await finished()];
    const first = await started(id);
    const runs = play(ENDLESS_PROGRAM);
    await expect.poll(async () => (await readGrid(id)).status).toBe("RUNNING");
    expect((await started(id)).id, "asked for again it continues").toBe(first.id);
    const [second, third] = await Promise.all([started(other), started(other)]);
    expect(third.id, "asked for twice at once").toBe(second.id);
    expect((await readView(id)).grid).toBeNull();
    await expect.poll(async () => (await readGrid(other)).status, { timeout: 20_000 }).toBe("RUNNING");
    // Deleted with its backtest, the run ends as well.
    expect((await callDoor(oneBacktest, "DELETE", { token, params: { id: other } })).status).toBe(200);
    await runs;
    expect(await db().backtestGrid.count({ where: { userId } })).toBe(0);
  },
  LONG,
);

it("a grid says when no worker answers, and is its owner's alone", async () => {
  const id = await finished();
  await started(id);
  await beat(context(), "a worker", {});
  expect((await readGrid(id)).isStalled).toBe(false);
  const stranger = await makeSignIn(db(), await makeUser(db()));
  expect([(await read(id, stranger)).status, (await start(id, PAIR, stranger)).status]).toEqual([404, 404]);
  expect((await callDoor(door, "GET", { params: { id } })).status).toBe(401);
  await claimGrid(context());
  await db().backtestGrid.updateMany({ data: { beatAt: new Date(Date.now() - 16_000) } });
  expect(await readGrid(id)).toMatchObject({ status: "RUNNING", isStalled: true });
});

it("a grid whose worker died is begun again, and fails in words after the third death; asked for again it is another one", async () => {
  const id = await finished();
  const first = await started(id);
  for (let death = 0; death < 3; death += 1) {
    expect((await claimGrid(context()))?.attempts).toBe(death + 1);
    expect(await claimGrid(context()), "its worker beats").toBeNull();
    await db().backtestGrid.updateMany({ data: { beatAt: new Date(Date.now() - 16_000) } });
  }
  expect(await claimGrid(context())).toBeNull();
  expect(await readGrid(id)).toMatchObject({ status: "FAILED", error: expect.stringContaining("ended 3 times") });
  expect((await started(id)).id).not.toBe(first.id);
});

it(
  "a source that cannot be read fails the grid with its own message, and leaves no try",
  async () => {
    const id = await finished();
    await started(id);
    process.env.EXCHANGE_URL = "http://127.0.0.1:1";
    try {
      await play();
    } finally {
      process.env.EXCHANGE_URL = market.exchange.url;
      forgetEnv();
    }
    expect(await readGrid(id)).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(/cannot be reached right now/),
    });
    expect((await listed()).overfit[0]?.tries).toBe(1);
  },
  LONG,
);

it.each([
  ["columns", { rows: "STOP_LOSS", columns: "STOP_LOSS" }, "Choose two different settings."],
  ["rows", { rows: "RISK_LEVEL", columns: "STOP_LOSS" }, ""],
  ["columns", { rows: "STOP_LOSS" }, ""],
  ["seed", { ...PAIR, seed: 2 }, ""],
] as const)("%s of %j is refused by name", async (path, body, message) => {
  const answer = await start(await finished(), body);
  expect(answer.status).toBe(400);
  expect(answer.json?.issues?.map((issue) => issue.path)).toContain(path);
  expect(answer.text).toContain(message);
  expect(await db().backtestGrid.count({ where: { userId } })).toBe(0);
});

it("a backtest that has not come to its end, and a market without data, have no grid; it is said why", async () => {
  const waiting = await start(await asked());
  expect([waiting.status, waiting.text]).toEqual([409, expect.stringContaining("once the backtest has ended")]);
  const id = await finished();
  await db().backtest.update({ where: { id }, data: { market: "US" } });
  const without = await start(id);
  expect([without.status, without.text]).toEqual([503, expect.stringContaining("Add an Alpaca account")]);
  const rigid = await finished();
  const { preferences } = await db().backtest.findUniqueOrThrow({ where: { id: rigid } });
  await db().backtest.update({
    where: { id: rigid },
    data: { preferences: { ...(preferences as object), defaultOrderSize: "1", maxPositionValue: "100000" } },
  });
  expect((await readView(rigid)).axes.map(({ axis }) => axis)).not.toContain("POSITION_SIZE");
  const refused = await start(rigid, { rows: "POSITION_SIZE", columns: "STOP_LOSS" });
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("cannot be varied: it is at its bounds"),
  ]);
});

it(
  "a worker that stops puts its grid back for the next one",
  async () => {
    const id = await finished();
    await started(id);
    const runs = play(ENDLESS_PROGRAM);
    await expect.poll(async () => (await readGrid(id)).status).toBe("RUNNING");
    releaseThreads();
    await runs;
    expect(await db().backtestGrid.findFirstOrThrow({ where: { userId } })).toMatchObject({
      status: "QUEUED",
      beatAt: null,
      startedAt: null,
    });
  },
  LONG,
);
