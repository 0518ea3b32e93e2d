import { beforeEach, expect, it } from "vitest";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import { previewFigures } from "@/lib/domain/backtest/preview.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { readHistory } from "@/lib/backtest/read-history.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { ENDLESS_PROGRAM, marketOfFile, PREVIEW_PROGRAM } from "@/lib/proof/fixtures/backtests.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { marketData } from "@/lib/server/providers/market-data-registry.ts";
import { claimPreview } from "@/lib/server/services/backtests/claim-preview.ts";
import { runPreviews } from "@/lib/server/services/backtests/run-previews.ts";
import { beat } from "@/lib/server/services/schedule/worker-lease.ts";
import { makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as backtests from "../../backtests/route.ts";
import * as one from "./[id]/route.ts";
import * as preview from "./route.ts";

type View = Answer<typeof preferencesPreviewApi.read>;

const LONG = 120_000;
const DRAFT = {
  strategy: "MEAN_REVERSION",
  riskTolerance: "medium",
  riskLevel: "HIGH",
  defaultOrderSize: 5000,
  maxPositions: 20,
  maxPositionValue: 8000,
  profitTarget: 10,
  stopLoss: 5,
};

const market = marketOfFile();
let token: string;
let userId: string;

beforeEach(async () => {
  await db().settingsPreview.deleteMany();
  await db().lease.deleteMany();
  const user = await makeUser(db());
  userId = user.id;
  token = await makeSignIn(db(), user);
});

const context = () => testContext({ marketData });
const ask = (change: object = {}, as = token) =>
  callDoor(preview, "POST", { token: as, body: { settings: { ...DRAFT, ...change } } });
const asked = async (change: object = {}) => {
  const answer = await ask(change);
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as View;
};
const read = (id: string, as = token) => callDoor(one, "GET", { token: as, params: { id } });
const readView = async (id: string) => (await read(id)).json?.data as unknown as View;
const play = () => runPreviews(context(), PREVIEW_PROGRAM);
const rows = () => db().settingsPreview.findMany({ where: { userId } });

/** As the command figures it, straight from the tape. */
function commandFigures(settings: { strategy: string; defaultOrderSize: number; maxPositions: number }, level: string) {
  const { policy, preferences } = readOptions(["--tape", market.tape])!;
  return previewFigures(
    runBacktest({
      index: readHistory(market.tape, 1),
      policy,
      preferences: {
        ...preferences,
        ...(settings as { strategy: "MOMENTUM" }),
        defaultOrderSize: String(settings.defaultOrderSize),
        maxPositionValue: settings.defaultOrderSize === 1000 ? "1000" : "8000",
        profitTarget: settings.defaultOrderSize === 1000 ? "5" : "10",
        stopLoss: settings.defaultOrderSize === 1000 ? "3" : "5",
        riskLevel: level as "HIGH",
        riskTolerance: "MEDIUM",
      },
      cash: "50000",
      seed: 1,
      from: "2020-06-03",
      to: "2020-06-30",
    }),
  );
}

it(
  "settings are tried on the last 20 closed sessions with the account's equity, beside the saved ones, as the command figures both",
  async () => {
    await makeAccount(db(), userId, { equity: "50000" });
    const waiting = await asked();
    expect(waiting).toMatchObject({
      status: "QUEUED",
      market: "PRACTICE",
      from: "2020-06-03",
      to: "2020-06-30",
      sessions: 20,
      basis: "It starts with $50,000.00, the equity of your practice account.",
      result: null,
    });
    await play();
    const done = await readView(waiting.id);
    expect([done.status, done.error, done.progress]).toEqual(["DONE", null, { done: 20, total: 20, readPercent: 100 }]);
    const draft = commandFigures(DRAFT, "HIGH");
    const saved = commandFigures({ strategy: "MOMENTUM", defaultOrderSize: 1000, maxPositions: 3 }, "MEDIUM");
    expect(draft.purchases, "the market is traded").toBeGreaterThan(3);
    expect(saved).not.toEqual(draft);
    for (const [given, wanted] of [
      [done.result?.draft, draft],
      [done.result?.saved, saved],
    ] as const) {
      const { pnl, best, worst, refused, ...figures } = wanted;
      expect(given).toMatchObject({ ...figures, pnl: Number(pnl) });
      expect([given?.best?.symbol, given?.worst?.symbol]).toEqual([best?.symbol, worst?.symbol]);
      expect(given?.refused?.count).toBe(refused?.count);
    }
    expect(done.result?.sentence).toMatch(
      /^With these settings the last 20 sessions \(3 Jun – 30 Jun 2020\) would have made .* with \d+ purchases?; with your saved settings .*it promises nothing\.$/,
    );

    // The same settings are the same try, and give the same.
    expect(await asked()).toMatchObject({ id: done.id, status: "DONE", result: done.result });
    await db().settingsPreview.deleteMany();
    const again = await asked();
    await play();
    expect((await readView(again.id)).result).toEqual(done.result);

    const list = (await callDoor(backtests, "GET", { token })).json?.data;
    expect(list, "a try is no backtest and no try of the overfit meter").toMatchObject({ backtests: [], overfit: [] });
  },
  LONG,
);

it(
  "the saved settings themselves are run once, with an example of money where there is none",
  async () => {
    await db().tradingPreferences.upsert({
      where: { userId },
      create: { userId, strategy: "BREAKOUT", checkInterval: 17 },
      update: { strategy: "BREAKOUT", checkInterval: 17 },
    });
    const saved = { strategy: "BREAKOUT", riskLevel: "MEDIUM", defaultOrderSize: 1000, maxPositions: 3 };
    const { id } = await asked({ ...saved, maxPositionValue: 1000, profitTarget: 5, stopLoss: 3 });
    await play();
    const done = await readView(id);
    expect(done).toMatchObject({ status: "DONE", progress: { done: 20, total: 20 }, cash: 100_000 });
    expect(done.basis).toContain("as an example");
    expect(done.result?.saved).toBeNull();
    expect(done.result?.sentence).toContain("which are your saved ones,");
  },
  LONG,
);

it(
  "a person has one try: the next replaces it, and a run of it ends",
  async () => {
    const first = await asked();
    const runs = runPreviews(context(), ENDLESS_PROGRAM);
    await expect.poll(async () => (await readView(first.id)).status).toBe("RUNNING");
    const [second, third] = await Promise.all([asked({ stopLoss: 4 }), asked({ stopLoss: 4 })]);
    expect(third.id, "asked for twice at once").toBe(second.id);
    expect((await rows()).map(({ id }) => id)).toEqual([second.id]);
    expect((await read(first.id)).status).toBe(404);
    const next = claimNext(second.id);
    await runs;
    await next;
  },
  LONG,
);

/** The loop of the worker that ended it takes the next try with the same thread; it loses it, too. */
async function claimNext(id: string) {
  await expect.poll(async () => (await readView(id)).status, { timeout: 20_000 }).toBe("RUNNING");
  await db().settingsPreview.deleteMany();
}

it("a try says when no worker answers, and is its owner's alone", async () => {
  const { id, isStalled } = await asked();
  expect(isStalled).toBe(true);
  await beat(context(), "a worker", {});
  expect((await readView(id)).isStalled).toBe(false);
  const other = await makeSignIn(db(), await makeUser(db()));
  expect((await read(id, other)).status).toBe(404);
  await claimPreview(context());
  await db().settingsPreview.update({ where: { id }, data: { beatAt: new Date(Date.now() - 16_000) } });
  expect(await readView(id)).toMatchObject({ status: "RUNNING", isStalled: true });
});

it("a try whose worker died is begun again, and fails in words after the third death; asked for again it is another one", async () => {
  const { id } = await asked();
  for (let death = 0; death < 3; death += 1) {
    expect((await claimPreview(context()))?.attempts).toBe(death + 1);
    expect(await claimPreview(context()), "its worker beats").toBeNull();
    await db().settingsPreview.update({ where: { id }, data: { beatAt: new Date(Date.now() - 16_000) } });
  }
  expect(await claimPreview(context())).toBeNull();
  expect(await readView(id)).toMatchObject({ status: "FAILED", error: expect.stringContaining("ended 3 times") });
  expect((await asked()).id).not.toBe(id);
});

it(
  "a source that cannot be read fails the try with its own message",
  async () => {
    const { id } = await asked();
    process.env.EXCHANGE_URL = "http://127.0.0.1:1";
    try {
      await play();
    } finally {
      process.env.EXCHANGE_URL = market.exchange.url;
      forgetEnv();
    }
    expect(await readView(id)).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(/cannot be reached right now/),
    });
  },
  LONG,
);

it("settings out of bounds are refused at their field, and leave no try; without data of the market it is said why", async () => {
  const refused = await ask({ maxPositions: 21 });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("settings.maxPositions");
  await makeAccount(db(), userId, { broker: "ALPACA" });
  const without = await ask();
  expect(without.status).toBe(503);
  expect(without.text).toContain("not connected here");
  expect(await rows()).toEqual([]);
});
