import { expect } from "@playwright/test";
import { Client } from "pg";
import { answer } from "./answer.ts";
import { load, signInAs } from "./page-watch.ts";
import { tokenOf } from "./people.ts";
import { run, type Run } from "./run.ts";
import { test } from "./test.ts";

interface Brief {
  session: string;
  isClosed: boolean;
  asOf: string;
  headline: { text: string; isAmount: boolean }[];
  sentences: { parts: Brief["headline"]; cites: { label: string; href: string }[] }[];
}

const plain = (parts: Brief["headline"]) => parts.map(({ text }) => text).join("");
async function rowOf<T>(sql: string, values: unknown[]): Promise<T> {
  const { internal } = run() as Run & { internal: { databaseUrl: string } };
  const client = new Client({ connectionString: internal.databaseUrl });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows[0] as T;
  } finally {
    await client.end();
  }
}

/** What the database holds of the demo trader's accounts and one session. */
const bookOf = (session: string) =>
  rowOf<{ equity: string; asOf: Date; pnl: string; buys: number; sells: number; decisions: number; positions: number }>(
    `with mine as (select a.id from "Account" a join "User" u on u.id = a."userId" where u.email = $1 and a."deletedAt" is null),
       day as (select ($2 || ' 00:00')::timestamp at time zone 'America/New_York' as starts),
       base as (select distinct on (p."accountId") p.equity, p."netDeposits" from "EquityPoint" p join mine m on m.id = p."accountId"
         where p."isClose" and p."sessionDate" < $2::date order by p."accountId", p."sessionDate" desc)
     select sum(f.equity)::text as equity, max(f."asOf") as "asOf",
       ((sum(f.equity) - sum(f."netDeposits")) - (select sum(equity) - sum("netDeposits") from base))::text as pnl,
       (select count(distinct "orderId")::int from "Fill", day where side = 'BUY' and "accountId" in (select id from mine)
         and "at" >= starts and "at" < starts + interval '1 day') as buys,
       (select count(distinct "orderId")::int from "Fill", day where side = 'SELL' and "accountId" in (select id from mine)
         and "at" >= starts and "at" < starts + interval '1 day') as sells,
       (select count(*)::int from "DecisionRecord", day where "accountId" in (select id from mine)
         and "decidedAt" >= starts and "decidedAt" < starts + interval '1 day') as decisions,
       (select count(*)::int from "Position" where "accountId" in (select id from mine)) as positions
     from "AccountFigures" f join mine m on m.id = f."accountId"`,
    [run().demo.trader.email, session],
  );

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", signDisplay: "exceptZero" });
const times = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

test("the demo trader's brief agrees with the database, and each record that it cites is theirs", async ({
  request,
}) => {
  const headers = { authorization: `Bearer ${await tokenOf(request, run().demo.trader)}` };
  const get = async (path: string) => request.get(`/api/v1${path}`, { headers });
  // The market runs on: what is compared was read between two equal readings of the books, in a session.
  await expect(async () => {
    const { data } = (await (await get("/insight/daily")).json()) as { data: { isOn: boolean; brief: Brief | null } };
    const { brief } = data;
    if (!brief) throw new Error("there is no brief");
    const books = await bookOf(brief.session);
    expect(books.asOf.toISOString(), "read at the same moment").toBe(brief.asOf);
    const text = [brief.headline, ...brief.sentences.map(({ parts }) => parts)].map(plain).join(" ");
    const pnl = Number(books.pnl);
    expect(text).toContain(pnl === 0 ? "No change" : dollars.format(pnl));
    expect(text).toContain(`is worth ${dollars.format(Number(books.equity)).replace("+", "")}`);
    expect(text).toContain(times(books.decisions, "decision"));
    expect(text).toContain(books.positions === 0 ? "No position is open" : times(books.positions, "position"));
    if (books.buys > 0) expect(text).toContain(times(books.buys, "buy"));
    if (books.sells > 0) expect(text).toContain(times(books.sells, "sell"));
    for (const { cites } of brief.sentences) {
      expect(cites.length).toBeGreaterThan(0);
      for (const { href } of cites) {
        const [, noun, id] = /^\/(decisions|trade-history)\/([^/?#]+)$/.exec(href) ?? [];
        if (noun !== undefined)
          expect((await get(`/${noun === "decisions" ? noun : "trades"}/${id}`)).status(), href).toBe(200);
      }
    }
  }).toPass({ timeout: 60_000 });
});

test("a link of the brief to what is held leads to it on the same page", async ({ page }) => {
  const cites = [{ label: "Positions", href: "/dashboard#active-positions" }];
  const sentences = [{ parts: [{ text: "10 positions are open.", isAmount: false }], cites }];
  const brief = { session: "2020-02-18", isClosed: false, asOf: "2020-02-18T17:10:05.000Z", headline: [], sentences };
  await signInAs(page, run().demo.trader);
  await answer(page, "/insight/daily", {
    environment: "PRACTICE",
    environments: ["PRACTICE"],
    isOn: true,
    brief: { ...brief, writer: "TRADEWIND", model: null },
  });
  await load(page, "/dashboard");
  const card = page.getByRole("region", { name: "Insight of the day" });
  await card.getByRole("button", { name: "Show", exact: true }).click();
  await card.getByRole("link", { name: "Positions" }).click();
  await expect(page.getByRole("region", { name: "Active Positions" })).toBeInViewport();
});
