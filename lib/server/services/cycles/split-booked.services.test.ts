import { expect, it } from "vitest";
import { newYorkInstant } from "@/lib/domain/time.ts";
import { examplePolicy } from "@/lib/proof/example-market.ts";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { loadAccountState } from "./load-account-state.ts";

const BALANCES = { equity: "100000", lastEquity: "100000", cash: "100000", buyingPower: "100000" };

it("an account's state tells of each position the latest split of the last days that is in its shares", async () => {
  const { id: accountId } = await makeAccount(db(), (await makeUser(db())).id);
  const openedAt = new Date(newYorkInstant("2020-01-06", 10, 0));
  for (const symbol of ["AAA", "BBB", "CCC", "DDD"])
    await db().position.create({ data: { accountId, symbol, qty: "10", avgEntryPrice: "100", openedAt } });
  const book = (symbol: string, exDate: string, ratio: string) =>
    db().appliedCorporateAction.create({
      data: {
        ...{ accountId, symbol, ratio, activityId: `${symbol} ${exDate}`, kind: ratio === "1" ? "NC" : "SPLIT" },
        ...{ qtyBefore: "10", qtyAfter: "20", exDate: dateOf(exDate) },
      },
    });
  await book("AAA", "2020-01-20", "3");
  await book("AAA", "2020-01-21", "2");
  await book("BBB", "2020-01-10", "2");
  await book("CCC", "2020-01-21", "1");
  const stateAt = async (date: string) => {
    const at = newYorkInstant(date, 10, 30);
    const { positions } = await loadAccountState(testContext(), accountId, BALANCES, { at, policy: examplePolicy });
    return positions.map((position) => position.splitBookedOn);
  };
  expect(await stateAt("2020-01-21")).toEqual(["2020-01-21", undefined, undefined, undefined]);
  expect(await stateAt("2020-01-20")).toEqual(["2020-01-20", undefined, undefined, undefined]);
  expect(await stateAt("2020-02-21")).toEqual([undefined, undefined, undefined, undefined]);
});
