import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { money, sum, text } from "@/lib/domain/money.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { badLine } from "@/scripts/own-services.mjs";
import type { Context } from "../../context.ts";
import { createDb, db, type Db } from "../../db.ts";
import { env } from "../../env.ts";
import {
  allPass,
  decide,
  openAccount,
  plannedOrder,
  startBench,
  testContext,
  truthOf,
} from "@/lib/proof/fixtures/orders.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { submitPlan } from "./submit-plan.ts";

let exchange: Exchange;
let line: Awaited<ReturnType<typeof badLine>>;
let overTheLine: Db;
beforeAll(async () => {
  exchange = await startBench();
  const url = new URL(env().DATABASE_URL);
  line = await badLine(Number(url.port));
  url.port = String(line.port);
  overTheLine = createDb(url.href, 3);
});
afterAll(async () => {
  await overTheLine.$disconnect();
  await line.close();
  await exchange.close();
});

/** How many transactions a plan of one order commits: intent, mark, outcome. */
const COMMITS = 3;

describe.each([true, false])("the connection is lost at a commit that the server heard: %s", (isDelivered) => {
  it.each(Array.from({ length: COMMITS }, (_, nth) => nth))(
    "at commit %i of a submission no order is doubled or lost, and the books agree (P4)",
    async (skip) => {
      exchange.control.addFault({ kind: "uniqueness_off" });
      const context = testContext();
      const account = await openAccount(context);
      const decisionId = await decide(context, account, [plannedOrder({ symbol: "SPY", qty: "3" })]);
      const frail: Context = { ...context, db: overTheLine };
      await overTheLine.$queryRaw`select 1`;
      line.losing = { text: "COMMIT", skip, isDelivered };

      await submitPlan(frail, { decisionId, epoch: 0, regate: allPass }).catch(() => undefined);
      expect(line.losing).toBeUndefined();
      await recoverAccount(context, account.id, { untilSettled: true, settleWindowMs: 0 });
      // The queue hands the same decision out again.
      await submitPlan(context, { decisionId, epoch: 0, regate: allPass });
      await exchange.control.clock({ advanceMinutes: 1 });
      await recoverAccount(context, account.id);

      const truth = truthOf(exchange, account);
      expect(truth.orders.length).toBeLessThanOrEqual(1);
      const where = { accountId: account.id };
      const [orders, fills, lots, intents] = await Promise.all([
        db().order.findMany({ where }),
        db().fill.findMany({ where }),
        db().lot.findMany({ where }),
        db().intent.findMany({ where }),
      ]);
      expect(orders.map((order) => order.brokerOrderId)).toEqual(truth.orders.map(({ id }) => id));
      expect(orders.every((order) => order.origin === "OURS")).toBe(true);
      const bought = text(sum(truth.fills.map(({ qty }) => money(qty))));
      expect(text(sum(fills.map(({ qty }) => money(qty))))).toBe(bought);
      expect(text(sum(lots.map(({ qtyRemaining }) => money(qtyRemaining))))).toBe(bought);
      expect(intents.map(({ status }) => status)).toEqual([truth.orders.length === 1 ? "FILLED" : intents[0]?.status]);
      expect(["FILLED", "HALTED", "PARKED"]).toContain(intents[0]?.status);
    },
  );
});
