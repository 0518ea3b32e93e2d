import { expect, type Locator, type Page } from "@playwright/test";
import { Client } from "pg";
import { expectAccessible, inTheme } from "./axe.ts";
import { answer as answerCall, TODAY } from "./dashboard-answers.ts";
import { load, signInAs } from "./page-watch.ts";
import { tokenOf } from "./people.ts";
import { run, type Run } from "./run.ts";
import { test } from "./test.ts";

const CALL = "**/api/v1/insight/daily";
const FOOT = "Written by Tradewind from your records; no language model was used.";
const card = (page: Page): Locator => page.getByRole("region", { name: "Insight of the day" });

interface Brief {
  session: string;
  isClosed: boolean;
  asOf: string;
  headline: { text: string; isAmount: boolean }[];
  sentences: { parts: Brief["headline"]; cites: { label: string; href: string }[] }[];
}

const plain = (parts: Brief["headline"]) => parts.map(({ text }) => text).join("");
const part = (text: string, isAmount = false) => ({ text, isAmount });
const said = (text: string, href: string) => ({ parts: [part(text)], cites: [{ label: `See ${href}`, href }] });

const BRIEF: Brief = {
  session: "2020-02-18",
  isClosed: false,
  asOf: "2020-02-18T17:10:05.000Z",
  headline: [part("+$169.50", true), part(" so far, nothing bought or sold")],
  sentences: [
    {
      parts: [part("Your practice account is worth "), part("$102,014.94", true), part(".")],
      cites: [{ label: "Performance", href: "/performance" }],
    },
    said("19 decisions were made, none of them with an order.", "/decisions"),
    said("The market is calm and rising; the VIX stood at 13.68 at the close before.", "/decisions?date=2020-02-18"),
    said("10 positions are open.", "/dashboard#active-positions"),
    said("All 10 have stops resting at the broker.", "/dashboard"),
    said("1 day trade was counted in the last 5 sessions.", "/trade-history?startDate=2020-02-11&endDate=2020-02-18"),
  ],
};

async function answer(page: Page, insight: { isOn: boolean; brief: Brief | null }): Promise<void> {
  const data = { environment: "PRACTICE", environments: ["PRACTICE"], ...insight };
  await page.unroute(CALL);
  await page.route(CALL, (route) => route.fulfill({ json: { success: true, data, error: null } }));
}

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

test.describe("the card", () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, run().demo.trader);
    await answerCall(page, "/insight/today", TODAY);
  });

  /** The brief is asked for by who opens it. */
  const open = (page: Page) => card(page).getByRole("button", { name: "Show", exact: true }).click();

  test("says what the answer says to who opens it, below the figures, with a link to each record and who wrote it", async ({
    page,
  }) => {
    await answer(page, { isOn: true, brief: BRIEF });
    await load(page, "/dashboard");
    await open(page);
    await expect(card(page)).toContainText(plain(BRIEF.headline));
    await expect(card(page)).toContainText("Tue 18 Feb 2020, session open, as of 12:10:05 ET");
    await expect(card(page)).toContainText(FOOT);
    for (const { parts, cites } of BRIEF.sentences) {
      const line = card(page)
        .getByRole("listitem")
        .filter({ hasText: plain(parts) });
      for (const { label, href } of cites)
        await expect(line.getByRole("link", { name: label, exact: true })).toHaveAttribute("href", href);
    }
    const top = async (name: string) => (await page.getByRole("region", { name }).boundingBox())?.y ?? Number.NaN;
    expect(await top("Equity")).toBeLessThan(await top("Insight of the day"));
    await expect(card(page).locator("[aria-live], [role=status], [role=alert]"), "nothing is read aloud").toHaveCount(
      0,
    );
    await card(page).getByRole("link", { name: "See /dashboard#active-positions" }).click();
    await expect(page.getByRole("region", { name: "Active Positions" })).toBeInViewport();
  });

  test("covers the amounts and nothing else when amounts are hidden", async ({ page }) => {
    await answer(page, { isOn: true, brief: BRIEF });
    await load(page, "/dashboard");
    await open(page);
    const amounts = card(page).locator(".amount");
    await expect(amounts).toHaveText(["+$169.50", "$102,014.94"]);
    await expect(amounts.first()).toHaveCSS("-webkit-text-security", "none");
    await page.getByRole("button", { name: /hide amounts/i }).click();
    await expect(amounts.first()).toHaveCSS("-webkit-text-security", "disc");
  });

  test("is not there while the feature is off, and says what comes before the first record", async ({ page }) => {
    await answerCall(page, "/insight/today", { ...TODAY, hasInsight: false });
    await load(page, "/dashboard");
    await expect(page.getByRole("region", { name: "Cash" })).toContainText("$");
    await expect(page.getByRole("region", { name: "Today" }), "the answer is no insight").toContainText("SPY");
    await expect(card(page)).toHaveCount(0);
    await answerCall(page, "/insight/today", TODAY);
    await answer(page, { isOn: true, brief: null });
    await page.reload();
    await open(page);
    await expect(card(page)).toContainText(
      "Nothing has been recorded yet. The first brief comes with the first look at the market.",
    );
    await expect(card(page)).not.toContainText(FOOT);
  });

  test("offers another try when it cannot be read", async ({ page }) => {
    await page.route(CALL, (route) =>
      route.fulfill({
        status: 503,
        json: { success: false, data: null, error: "The database is away.", code: "unavailable", requestId: "x" },
      }),
    );
    await load(page, "/dashboard");
    await open(page);
    await expect(card(page)).toContainText("Failed to load the insight of the day");
    await expect(card(page)).toContainText("The database is away.");
    await answer(page, { isOn: true, brief: BRIEF });
    await card(page).getByRole("button", { name: "Retry" }).click();
    await expect(card(page)).toContainText(plain(BRIEF.headline));
    await expect(card(page)).not.toContainText("Failed to load");
  });

  test("is no wider than the screen and free of grave axe violations, wide in the light and on a phone in the dark; a phone folds it", async ({
    page,
  }) => {
    await answer(page, { isOn: true, brief: BRIEF });
    await load(page, "/dashboard");
    await open(page);
    for (const [width, colorScheme] of [
      [1440, "light"],
      [390, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await inTheme(page, colorScheme);
      const lines = card(page).getByRole("listitem");
      const shown = width === 390 ? 4 : BRIEF.sentences.length;
      await expect(lines.filter({ visible: true })).toHaveCount(shown);
      const more = card(page).getByRole("button", { name: "Show 2 more" });
      if (width === 390) {
        await more.click();
        await expect(lines.filter({ visible: true })).toHaveCount(BRIEF.sentences.length);
        await card(page).getByRole("button", { name: "Show less" }).click();
        await expect(lines.filter({ visible: true })).toHaveCount(shown);
      } else await expect(more).toBeHidden();
      await expectAccessible(page, `the dashboard at ${width} px`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });
});
