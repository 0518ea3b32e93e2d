import { expect, it } from "vitest";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { equityAtClose } from "@/lib/proof/fixtures/performance.ts";
import { summarizePortfolio } from "../portfolio/summarize-portfolio.ts";
import { readWeekPnl } from "./read-result.ts";

it("what the headline says of seven days is the dashboard's week, also before a day's first point", async () => {
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId);
  const closes = { "2026-03-05": "100000", "2026-03-06": "100000", "2026-03-09": "97000", "2026-03-13": "97100" };
  await db().equityPoint.createMany({
    data: Object.entries(closes).map(([session, equity]) => equityAtClose(accountId, session, equity, "100000")),
  });
  // Monday morning: the day's answer is still of Friday, the amounts are of now.
  await db().accountFigures.update({
    where: { accountId },
    data: { equity: "97110", lastEquity: "97100", netDeposits: "100000", asOf: new Date("2026-03-16T12:00:00Z") },
  });
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const { pnlWeek } = await summarizePortfolio(context, {});
  const accounts = await db().account.findMany({ where: { id: accountId }, include: { figures: true } });
  expect([Number(pnlWeek), Number(await readWeekPnl(context, accounts))]).toEqual([110, 110]);
  await db().accountFigures.update({ where: { accountId }, data: { asOf: null } });
  const unread = await db().account.findMany({ where: { id: accountId }, include: { figures: true } });
  expect(await readWeekPnl(context, unread)).toBeNull();
});
