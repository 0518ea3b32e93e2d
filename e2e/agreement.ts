/** Screens held against the rows that they are made of. */
import { expect, type Page } from "@playwright/test";
import { decisionOf, figuresOf, latestDecision, latestLogLine, positionsOf, tradesOf } from "./books.ts";
import { decisionStory } from "./trade-books.ts";

export const card = (page: Page, name: string) => page.getByRole("region", { name });

/** The market moves between two looks: screen and database are compared until they are of one moment. */
export async function agree(compare: () => Promise<void>): Promise<void> {
  await expect(compare).toPass({ timeout: 40_000, intervals: [250] });
}

/** A row of the screen on one line; numbers without separators and plus signs, which rows of the database lack. */
const plain = (text: string) => text.replaceAll(/\s+/g, " ").replaceAll(",", "").replaceAll("+", "");

/** Every figure of the dashboard. */
export async function dashboardAgrees(page: Page, email: string): Promise<void> {
  await agree(async () => {
    for (const [name, value] of Object.entries(await figuresOf(email)))
      expect(await card(page, name).innerText({ timeout: 1000 }), name).toContain(value);
  });
  await agree(async () => {
    const held = await positionsOf(email);
    const rows = await card(page, "Active Positions").getByRole("listitem").allInnerTexts();
    expect(rows).toHaveLength(held.length);
    // They stand by their distance to the stop, which the market moves: the row of a position is the one that names it.
    for (const { symbol, cells } of held) {
      const row = rows.find((text) => text.trim().split(/\s/)[0] === symbol) ?? "";
      for (const part of cells) expect(plain(row), symbol).toContain(plain(part));
    }
  });
}

/** Trade stats and history, and the page of the newest trade that was filled. */
export async function tradesAgree(page: Page, email: string): Promise<void> {
  await agree(async () => {
    const { count, volume, averageSize, won, lost, winRate } = await tradesOf(email);
    const stats = await card(page, "Trade stats").innerText({ timeout: 1000 });
    for (const part of [count.toLocaleString("en-US"), volume, averageSize, winRate, `${won}W / ${lost}L`])
      expect(stats).toContain(part);
  });

  await page.goto("/trade-history");
  await agree(async () => {
    // The list stands still until its reader asks for a new one.
    // Both together: an answer that does not come while the button is still waited for would end the test by itself.
    await Promise.all([
      page.waitForResponse(/\/api\/v1\/trades\?/, { timeout: 5000 }),
      page.getByRole("button", { name: "Refresh" }).click({ timeout: 5000 }),
    ]);
    const { count, filled, volume, averageSize, trades } = await tradesOf(email);
    const heading = `Trade History (${count.toLocaleString("en-US")} trades)`;
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible({ timeout: 1000 });
    const figures = [count.toLocaleString("en-US"), volume, filled.toLocaleString("en-US"), averageSize];
    expect(await card(page, "Summary").locator("dd").allInnerTexts()).toEqual(figures);
    const rows = await page.getByRole("table").first().getByRole("row").allInnerTexts();
    for (const [index, { cells }] of trades.slice(0, 10).entries()) {
      const row = (rows[index + 1] ?? "").toUpperCase();
      for (const part of cells) expect(row).toContain(part.toUpperCase());
    }
  });

  const filled = (await tradesOf(email)).trades.find(({ isFilled }) => isFilled);
  if (filled === undefined) return;
  await page.goto(`/trade-history/${filled.id}`);
  const [symbol = "", , quantity = "", ...rest] = filled.cells;
  await expect(page.getByRole("heading", { level: 1 })).toContainText(symbol);
  for (const part of [`${quantity} ${symbol}`, ...rest])
    await expect(page.getByRole("main"), "the page of the newest trade").toContainText(part);
}

/** The latest decision, as the dashboard, the page of its own and the log tell it. */
export async function decisionAgrees(page: Page, email: string): Promise<void> {
  const known = await latestDecision(email);
  if (known === null) throw new Error(`${email} has no decision`);
  await page.goto("/dashboard");
  const automation = card(page, "Automation");
  // Cycles follow each other faster than the screen asks: what it shows is that decision or one made since.
  await agree(async () => {
    const shown = await automation.evaluate((node) => ({
      id: (node.querySelector("a")?.getAttribute("href") ?? "").replace("/decisions/", ""),
      steps: [...node.querySelectorAll("li")].map(({ textContent }) => textContent.replace("→", "")),
    }));
    const decision = await decisionOf(email, shown.id);
    expect(decision?.at.getTime()).toBeGreaterThanOrEqual(known.at.getTime());
    expect(shown.steps).toEqual(funnelTexts(await decisionStory(shown.id)));
  });
  await page.goto(`/decisions/${known.id}`);
  await expect(page.getByRole("main")).toContainText(withoutClock(known.line));
  await page.goto("/logs");
  // Read last: the page holds as many lines as a busy account writes in a minute or two.
  await expect(page.getByRole("log")).toContainText(await latestLogLine(email));
}

type Counts = Record<"screened" | "seated" | "signals" | "entries" | "bought", number>;

/** The steps of a decision as its funnel tells them. */
export const funnelTexts = ({ screened, seated, signals, entries, bought }: Counts): string[] => [
  `${screened} looked at`,
  `${seated} in the Top-50`,
  `${signals} would buy`,
  ...(entries === bought ? [] : [`${entries} ordered`]),
  `${bought} bought`,
];

/** Beside a time, a line of a decision stands without its own. */
export const withoutClock = (line: string) => line.replace(/^\d\d:\d\d: /, "");
