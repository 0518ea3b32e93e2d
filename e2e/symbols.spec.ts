import { expect, type APIRequestContext, type Page } from "@playwright/test";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { expectAccessibleIn } from "./axe.ts";
import { change, money, rowsOf } from "./books.ts";
import { overflowOf } from "./layout.ts";
import { amounts, hideAmounts, legible } from "./hidden-amounts.ts";
import { drawnChart, load, signInAs } from "./page-watch.ts";
import { signInOf } from "./people.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

const demo = () => run().demo.trader;

interface Held {
  symbol: string;
  accountId: string;
}

/** The oldest holding of the demo trader. */
async function heldByDemo(): Promise<Held> {
  const [held] = await rowsOf<Held>(
    `select x.symbol, x."accountId" from "Position" x join "Account" a on a.id = x."accountId"
     join "User" u on u.id = a."userId" where u.email = $1 and a."deletedAt" is null order by x."openedAt", x.symbol limit 1`,
    [demo().email],
  );
  if (!held) throw new Error("the demo trader holds nothing");
  return held;
}

/** A symbol that the latest decision of the demo trader refused. */
async function refusedByDemo(): Promise<{ symbol: string; decisionId: string }> {
  const [refused] = await rowsOf<{ symbol: string; decisionId: string }>(
    `select c.symbol, d.id as "decisionId"
     from (select x.* from "DecisionRecord" x join "Account" a on a.id = x."accountId" join "User" u on u.id = a."userId"
       where u.email = $1 order by x."decidedAt" desc limit 1) d cross join lateral (
       select v ->> 'symbol' as symbol, v ->> 'leg' as leg from jsonb_array_elements(d.verdicts -> 'candidates') v where v -> 'symbol' is not null
       union all
       select v ->> 'symbol', null from "VerdictSheet" s, jsonb_array_elements(s.content -> 'silent') v where s.id = d."sheetId") c
     where not exists (select 1 from "Position" p where p."accountId" = d."accountId" and p.symbol = c.symbol)
       and c.leg is null limit 1`,
    [demo().email],
  );
  if (!refused) throw new Error("the latest decision refused nothing");
  return refused;
}

async function answerOf<T>(page: Page, request: APIRequestContext, path: string): Promise<T> {
  const { token } = await signInOf(page, demo());
  const answer = await request.get(`/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { data: T }).data;
}

test.beforeEach(({ page }) => signInAs(page, demo()));

for (const width of [1440, 390]) {
  test(`a held symbol and its position can be read and reached at ${width} px, one in the dark and one in the light`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const { symbol, accountId } = await heldByDemo();
    for (const [nth, path] of [`/symbols/${symbol}`, `/positions/${accountId}/${symbol}`].entries()) {
      await load(page, path);
      await drawnChart(page);
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
      await expectAccessibleIn(page, (nth === 0) === (width === 390) ? "dark" : "light", path);
    }
  });
}

test("a held symbol says so, keeps its tab in the address, and leads to the position and its trades", async ({
  page,
  request,
}) => {
  const { symbol, accountId } = await heldByDemo();
  await load(page, `/symbols/${symbol}`);
  await expect(page.getByRole("heading", { level: 1, name: symbol })).toBeVisible();
  await expect(page.getByText(/^yours: /)).toBeVisible();
  await unfold(page.getByText("Show the figures"));
  const figures = page.getByRole("region", { name: "Price figures" });
  const { bars } = await answerOf<Answer<typeof symbolsApi.bars>>(page, request, `/symbols/${symbol}/bars`);
  await expect(figures.getByRole("row").nth(1)).toContainText(money(String(bars.close.at(-1))));
  await page.getByRole("tab", { name: "My trades" }).click();
  await expect(page).toHaveURL(/tab=trades/);
  await expect(page.getByRole("region", { name: "Stops and targets at the broker" }).first()).toContainText(
    "Resting now",
  );
  await page.reload();
  await expect(page.getByRole("tab", { name: "My trades", selected: true })).toBeVisible();
  await page.getByRole("link", { name: "Position", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/positions/${accountId}/${symbol}$`));
});

test("a position's figures are those of its rows, to the cent, and it says what ends it", async ({ page }) => {
  const { symbol, accountId } = await heldByDemo();
  await load(page, `/positions/${accountId}/${symbol}`);
  const stops = () =>
    rowsOf<{ stop: string; avg: string; entry: string }>(
      `select o."stopPrice"::text stop, p."avgEntryPrice"::text avg, ((o."stopPrice" - p."avgEntryPrice") * p.qty)::text entry
       from "Position" p join "Order" o on o."accountId" = p."accountId" and o.symbol = p.symbol and o.role = 'STOP'
         and o.status in ('NEW', 'ACCEPTED', 'HELD', 'PENDING_NEW') where p."accountId" = $1 and p.symbol = $2`,
      [accountId, symbol],
    );
  await expect(async () => {
    const [row] = await stops();
    const main = page.getByRole("main");
    await expect(main.getByText(`Sold when it trades at ${money(row?.stop ?? null)} or below`)).toBeVisible({
      timeout: 500,
    });
    await expect(main.getByText(change(row?.entry ?? null)).first()).toBeVisible({ timeout: 500 });
    await expect(main.getByText(money(row?.avg ?? null)).first()).toBeVisible({ timeout: 500 });
  }).toPass();
});

test("a symbol that is not held says why, and cites the decision", async ({ page }) => {
  const { symbol } = await refusedByDemo();
  await load(page, `/symbols/${symbol}`);
  await expect(page.getByText(/^not held/)).toBeVisible();
  await expect(page.getByText(/^(Not bought|The latest decision)/)).toBeVisible();
  await page.getByRole("link", { name: /^Decision of / }).click();
  await expect(page).toHaveURL(/\/decisions\/[0-9a-f-]{36}$/);
});

test("an unknown symbol and another's position are not there, and say so", async ({ page }) => {
  await page.goto("/symbols/ZZZZZ");
  await expect(page.getByText("Symbol not found")).toBeVisible();
  await page.goto("/positions/00000000-0000-4000-8000-000000000000/AAPL");
  await expect(page.getByText("Position not found")).toBeVisible();
});

test("a ticker typed into the palette opens its page, and hidden amounts stay hidden there", async ({ page }) => {
  const { symbol } = await heldByDemo();
  await load(page, "/settings");
  await page.keyboard.press("/");
  await page.getByPlaceholder("Search pages, symbols and actions").fill(symbol);
  await page.getByRole("option", { name: `All about ${symbol}` }).click();
  await expect(page).toHaveURL(new RegExp(`/symbols/${symbol}$`));
  await drawnChart(page);
  await hideAmounts(page);
  await expect(amounts(page).first()).toHaveCSS("-webkit-text-security", "disc");
  expect(await legible(page)).toEqual([]);
});
