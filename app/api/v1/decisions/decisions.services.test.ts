import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { GATE_CODES } from "@/lib/domain/gates/gates.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { look, openTrader, startMarketDay } from "@/lib/proof/fixtures/cycles.ts";
import { ensureFlags } from "@/lib/server/services/flags/ensure-flags.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as one from "./[id]/route.ts";
import * as again from "./[id]/recompute/route.ts";
import * as list from "./route.ts";

const LOOKS = 3;

let exchange: Exchange;
let token: string;
let stranger: string;

/** One account decides at the first looks of a session, against a real exchange. */
beforeAll(async () => {
  exchange = await startMarketDay();
  const context = systemContext("test");
  await ensureFlags(context);
  const { user } = await openTrader(context);
  token = await makeSignIn(db(), user);
  stranger = await makeSignIn(db(), await makeUser(db()));
  for (let turn = 0; turn < LOOKS; turn += 1) await look(exchange, context, turn === 0 ? 7 : 5);
}, 120_000);

afterAll(() => exchange.close());

const listed = async (query = "", as = token) =>
  (await callDoor(list, "GET", { token: as, query })).json?.data as unknown as Answer<typeof decisionsApi.list>;
const read = (id: string, as = token) => callDoor(one, "GET", { token: as, params: { id } });
const recompute = (id: string, as = token) => callDoor(again, "POST", { token: as, params: { id }, body: {} });

async function firstWithOrders() {
  const { decisions } = await listed("hasOrders=true");
  const [decision] = decisions;
  if (!decision) throw new Error("no decision ordered anything");
  const { json } = await read(decision.id);
  return { row: decision, detail: json?.data as unknown as Answer<typeof decisionsApi.read> };
}

it("decisions are listed newest first, page by page, each once", async () => {
  const all = (await listed("limit=100")).decisions;
  expect(all).toHaveLength(LOOKS);
  expect(all.map(({ decidedAt }) => decidedAt)).toEqual(
    all
      .map(({ decidedAt }) => decidedAt)
      .sort()
      .reverse(),
  );
  const paged: string[] = [];
  for (let cursor = ""; ;) {
    const page = await listed(`limit=1${cursor}`);
    paged.push(...page.decisions.map(({ id }) => id));
    if (page.pagination.nextCursor === null) break;
    cursor = `&cursor=${page.pagination.nextCursor}`;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
});

it("the list is narrowed to an account, a market day, and to decisions that ordered something", async () => {
  const all = (await listed()).decisions;
  const [first] = all;
  const accountId = first?.account.id ?? "";
  expect((await listed(`accountId=${accountId}`)).decisions.map(({ account }) => account.id)).toEqual(
    Array.from({ length: LOOKS }, () => accountId),
  );
  expect((await listed("date=1999-01-04")).decisions).toEqual([]);
  const ordered = (await listed("hasOrders=true")).decisions;
  expect(ordered.length).toBeGreaterThan(0);
  expect(ordered.map(({ id }) => id)).toEqual(all.filter(({ orders }) => orders > 0).map(({ id }) => id));
});

it("one decision tells every candidate with its gates and the trade that came of it", async () => {
  const { row, detail } = await firstWithOrders();
  expect(detail).toMatchObject(row);
  expect(detail.candidates.length).toBe(row.seated);
  const bought = detail.candidates.filter(({ tradeId }) => tradeId !== null);
  expect(bought.length).toBe(detail.ordered.filter(({ side }) => side === "BUY").length);
  for (const { symbol, tradeId, failing, gates } of bought) {
    expect(failing).toEqual([]);
    expect(gates.map(({ code }) => code)).toEqual(GATE_CODES);
    expect(await db().order.findUniqueOrThrow({ where: { id: tradeId ?? "" } })).toMatchObject({ symbol, side: "BUY" });
  }
  const refused = detail.candidates.filter(({ hasSignal, failing }) => hasSignal && failing.length > 0);
  expect(refused.length).toBe(row.signals - bought.length);
  for (const { nearestFlip, gates, failing } of refused) {
    expect(nearestFlip).toMatch(/^needs /);
    expect(gates.filter(({ passed, isWarning }) => !passed && !isWarning).map(({ code }) => code)).toEqual(failing);
  }
});

it("an order whose outcome is not known is told by the status of its latest attempt", async () => {
  const { row, detail } = await firstWithOrders();
  const leg = detail.ordered[0]?.leg ?? -1;
  const { id, ...intent } = await db().intent.findFirstOrThrow({ where: { decisionId: row.id, leg } });
  expect(detail.ordered[0]?.status).toBe(intent.status);
  const statusNow = async () => {
    const page = (await read(row.id)).json?.data as unknown as typeof detail;
    return page.ordered.find((each) => each.leg === leg)?.status;
  };
  await db().intent.update({ where: { id }, data: { status: "UNKNOWN" } });
  expect(await statusNow()).toBe("UNKNOWN");
  const next = { attempt: intent.attempt + 1, clientOrderId: `${intent.clientOrderId}-2`, gateVerdictId: null };
  const again = await db().intent.create({ data: { ...intent, ...next, status: "DENIED" } });
  expect(await statusNow()).toBe("DENIED");
  await db().intent.delete({ where: { id: again.id } });
  await db().intent.update({ where: { id }, data: { status: intent.status } });
});

it("what was bought is what was filled of its orders to buy, in the list and on its page", async () => {
  const { row, detail } = await firstWithOrders();
  const buys = detail.ordered.filter(({ purpose }) => purpose === "ENTRY");
  expect(buys.length).toBeGreaterThan(0);
  const ids = buys.flatMap(({ tradeId }) => tradeId ?? []);
  const figures = { filledQty: true, filledAvgPrice: true, filledValue: true, status: true } as const;
  const before = await db().order.findMany({ where: { id: { in: ids } }, select: { id: true, ...figures } });
  const fillTo = (count: number) =>
    db().order.updateMany({
      where: { id: { in: ids } },
      // Cancelled with what was filled until then.
      data: { status: "CANCELED", filledQty: count, filledAvgPrice: count === 0 ? null : 1, filledValue: count },
    });
  for (const [filled, bought] of [
    [0, 0],
    [1, ids.length],
  ] as const) {
    await fillTo(filled);
    const counts = { screened: row.screened, seated: row.seated, signals: row.signals, entries: buys.length, bought };
    expect((await listed()).decisions.find(({ id }) => id === row.id)).toMatchObject(counts);
    const page = (await read(row.id)).json?.data as unknown as typeof detail;
    expect(page).toMatchObject(counts);
    expect(page.candidates.filter(({ isBought }) => isBought)).toHaveLength(bought);
  }
  for (const { id, ...data } of before) await db().order.update({ where: { id }, data });
});

it("every stock that was not bought stands in one group, and the closest say what they lack", async () => {
  const { decisions } = await listed();
  expect(decisions).toHaveLength(LOOKS);
  let [grouped, close] = [0, 0];
  for (const { id, reasons } of decisions) {
    const detail = (await read(id)).json?.data as unknown as Answer<typeof decisionsApi.read>;
    const { candidates, groups, closest } = detail;
    const left = candidates.filter(({ hasSignal, failing }) => !hasSignal || failing.length > 0);
    expect(groups.flatMap(({ symbols }) => symbols).sort()).toEqual(left.map(({ symbol }) => symbol).sort());
    const refused = groups.filter(({ code }) => code !== null).map(({ text }) => text);
    expect([...reasons].sort()).toEqual([...refused].sort());
    for (const symbol of closest) {
      const { missing, failing } = candidates.find((each) => each.symbol === symbol)!;
      expect(failing).not.toContain("duplicate");
      expect(missing.length).toBeGreaterThan(0);
    }
    grouped += left.length;
    close += closest.length;
  }
  expect(grouped).toBeGreaterThan(0);
  expect(close).toBeGreaterThan(0);
});

it("a decision that is made again is identical, and nothing has changed by it", async () => {
  const { row } = await firstWithOrders();
  const before = await db().decisionRecord.count();
  expect(await recompute(row.id)).toMatchObject({
    status: 200,
    json: { data: { isIdentical: true, refusal: null, differences: [] } },
  });
  expect(await db().decisionRecord.count()).toBe(before);
});

it("no user sees or recomputes another's decision", async () => {
  const { row } = await firstWithOrders();
  expect((await listed("", stranger)).decisions).toEqual([]);
  expect((await listed(`accountId=${row.account.id}`, stranger)).decisions).toEqual([]);
  for (const answer of [await read(row.id, stranger), await recompute(row.id, stranger), await read(randomUUID())]) {
    expect(answer).toMatchObject({ status: 404, json: { error: "Decision not found." } });
  }
  expect(await callDoor(list, "GET")).toMatchObject({ status: 401 });
  expect(await callDoor(one, "GET", { params: { id: row.id } })).toMatchObject({ status: 401 });
  expect(await callDoor(again, "POST", { params: { id: row.id }, body: {} })).toMatchObject({ status: 401 });
});

it.each([
  ["cursor", "cursor=bm90IGEgY3Vyc29y"],
  ["date", "date=2020-02-30"],
  ["limit", "limit=101"],
  ["accountId", "accountId=1"],
])("a %s that is none is refused by name", async (name, query) => {
  const answer = await callDoor(list, "GET", { token, query });
  expect(answer.status).toBe(400);
  expect(answer.json?.issues?.map(({ path }) => path)).toContain(name);
});
