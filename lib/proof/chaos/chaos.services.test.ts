import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shortLivedArgs } from "@/lib/proof/bundled.ts";
import { superuserUrl } from "@/lib/proof/fixtures/every-right.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { drawEpisode } from "./episode.ts";
import { judge, type Evidence } from "./oracle.ts";
import { playEpisode } from "./play-episode.ts";
import { addOutcome, emptyReport } from "./report.ts";
import { openScene } from "./scene.ts";

/** Faults of fourteen kinds, workers killed, stopped and doubled; `npm run prove -- chaos` plays a thousand. */
const EPISODES = 5;
const options = { uniquenessOffShare: 0.33, cutsPostgres: false };
let scene: Awaited<ReturnType<typeof openScene>>;

beforeAll(async () => {
  process.env.LOG_LEVEL = "warn";
  // The run keeps tables of its own beside the product's.
  process.env.DATABASE_URL = superuserUrl();
  forgetEnv();
  const program = await shortLivedArgs("lib/proof/chaos/worker.ts");
  scene = await openScene({ program, poolSize: 2, cutPostgres: null });
}, 120_000);
afterAll(() => scene.close());

/** Plays the seeds one after the other; answers what they add up to. */
async function playAll(seeds: number[]) {
  const report = emptyReport(0);
  for (const seed of seeds) addOutcome(report, (await playEpisode(scene, drawEpisode(seed, options))).outcome);
  return report;
}

it("workers that are killed, stopped and doubled under faults of every kind double and lose nothing (W9)", async () => {
  const report = await playAll(Array.from({ length: EPISODES }, (_, index) => 1_000 + index));
  expect(report.failed).toEqual([]);
  expect(report).toMatchObject({ episodes: EPISODES, doubles: 0, losses: 0, bare: 0 });
  // The run was a storm, not a calm.
  for (const figure of ["kills", "stops", "pairs", "uniquenessOff", "switches"] as const)
    expect(report[figure], figure).toBeGreaterThan(0);
  expect(Object.keys(report.faults).length).toBeGreaterThan(5);
  expect(report.orders).toBeGreaterThan(EPISODES);
}, 600_000);

describe("the oracle sees", () => {
  let evidence: Evidence;
  beforeAll(async () => {
    ({ evidence } = await playEpisode(scene, {
      ...{ seed: 7, isUniquenessOff: false, isHolding: true, speed: 60, settleWindowMs: 120, isLarge: false },
      turns: [
        {
          workers: [{ crashAt: null, killAfterMs: null, sleep: null, isFollowing: true, isLockless: false }],
          ...{ faults: [], flip: null, cutsPostgresAtMs: null, decidesAnew: false },
        },
      ],
    }));
  }, 120_000);

  const seen = async (change: (of: Evidence) => Partial<Evidence>) => {
    const { violations } = await judge(scene.context, { ...evidence, ...change(structuredClone(evidence)) });
    return [...new Set(violations.map((violation) => violation.split(" ")[0]))];
  };

  it("nothing where nothing is wrong", async () => {
    expect(await seen(() => ({}))).toEqual([]);
    expect(evidence.truth.orders.length).toBeGreaterThan(5);
  });

  it("an order that is at the exchange twice", async () => {
    expect(
      await seen(({ truth }) => {
        const twin = truth.orders.find(({ client_order_id }) => client_order_id.startsWith("tw-"));
        return { truth: { ...truth, orders: [...truth.orders, ...(twin ? [{ ...twin, id: "twin" }] : [])] } };
      }),
    ).toEqual(expect.arrayContaining(["I1", "I2"]));
  });

  it("a fill that was lost, one at another price, and money that went missing", async () => {
    const withFills = (change: (fills: Evidence["truth"]["fills"]) => Evidence["truth"]["fills"]) =>
      seen(({ truth }) => ({ truth: { ...truth, fills: change(truth.fills) } }));
    expect(
      await withFills((fills) => [...fills, ...fills.slice(0, 1).map((fill) => ({ ...fill, cum_qty: "99" }))]),
    ).toContain("I3");
    expect(await withFills((fills) => fills.map((fill) => ({ ...fill, price: "1" })))).toContain("I3");
    expect(await seen(({ truth }) => ({ truth: { ...truth, cash: "1" } }))).toContain("I5");
  });

  it("a position of another size", async () => {
    expect(
      await seen(({ truth }) => ({
        truth: { ...truth, positions: truth.positions.map((position) => ({ ...position, qty: "7777" })) },
      })),
    ).toContain("I4");
  });

  it("shares whose stop is gone, all of them or some", async () => {
    const isStop = ({ type, status }: Evidence["truth"]["orders"][number]) => type === "stop" && status === "new";
    expect(evidence.truth.orders.filter(isStop).length).toBeGreaterThan(0);
    const withStops = (change: Partial<Evidence["truth"]["orders"][number]>) =>
      seen(({ truth }) => ({
        truth: { ...truth, orders: truth.orders.map((order) => (isStop(order) ? { ...order, ...change } : order)) },
      }));
    expect(await withStops({ type: "limit" })).toEqual(["I26"]);
    expect(await withStops({ qty: "1" })).toEqual(["I26"]);
    expect(await withStops({ type: "limit", order_class: "simple" })).toEqual([]);
  });

  it("a request without its intent, without its gate, and after a switch was thrown", async () => {
    const withArrivals = (change: (arrival: Evidence["arrivals"][number]) => Partial<Evidence["arrivals"][number]>) =>
      seen(({ arrivals }) => ({ arrivals: arrivals.map((arrival) => ({ ...arrival, ...change(arrival) })) }));
    expect(await withArrivals(() => ({ intent: null }))).toEqual(["I6"]);
    expect(await withArrivals(({ intent }) => ({ intent: intent && { ...intent, markedAt: null } }))).toEqual(["I6"]);
    const thrown = { since: new Date(0), until: null };
    expect(await seen(() => ({ thrown: [{ ...thrown, what: "HALT" }] }))).toEqual(["I7"]);
    expect(await seen(() => ({ thrown: [{ ...thrown, what: "USER_REDUCE_ONLY" }] }))).toEqual(["I7"]);
    const bought = evidence.arrivals.find(({ side }) => side === "buy")?.symbol ?? "";
    const stop = (symbol: string) => seen(() => ({ thrown: [{ ...thrown, what: "SYMBOL_STOP", symbol }] }));
    expect(await stop(bought)).toEqual(["I7"]);
    expect(await stop("ANOTHER")).toEqual([]);
  });

  it("a worker's word that nothing stands behind", async () => {
    const leg = { leg: 99, symbol: "X", status: "LIVE" as const, reason: null };
    expect(await seen(() => ({ messages: [{ kind: "legs", decisionId: "none", legs: [leg] }] }))).toEqual(["I16"]);
  });

  it("a state that was left after its end", async () => {
    const { db } = scene.context;
    const order = await db.order.findFirstOrThrow({ where: { accountId: evidence.accountId, status: "FILLED" } });
    await db.order.update({ where: { id: order.id }, data: { status: "NEW" } });
    await db.order.update({ where: { id: order.id }, data: { status: "FILLED" } });
    expect(await seen(() => ({}))).toEqual(["I8"]);
  });
});
