import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, FIGURES, POSITION, TODAY } from "@/lib/proof/screen/dashboard-answers.ts";
import { overflowOfPage } from "@/lib/proof/screen/layout.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

const show = () => showPage("/dashboard", TRADER, <DashboardScreen />);
const card = (name: string) => page.getByRole("region", { name, exact: true });

beforeEach(() => answerDashboard());

for (const width of [320, 390, 768, 1024, 1440])
  test(`no amount of the strip breaks inside its number at ${width} px`, async () => {
    await page.viewport(width, 844);
    const amounts = {
      totalValue: 1_100_887.43,
      cash: 1_087_642.18,
      buyingPower: 2_187_642.18,
      pnlTotal: -1_100_887.43,
    };
    answer(portfolioApi.summary, { ...FIGURES, ...amounts });
    show();
    await expect.element(card("Cash")).toHaveTextContent("$1,087,642.18");
    for (const name of ["Total Portfolio", "P&L", "Cash", "Buying Power"]) {
      const [amount] = card(name).element().querySelectorAll(".amount");
      expect(amount?.getClientRects(), name).toHaveLength(1);
    }
    expect(overflowOfPage()).toBeLessThanOrEqual(0);
  });

for (const how of ["a press beside its symbol", "the keyboard"])
  test(`on a phone a position opens by ${how}: the whole row leads to it`, async () => {
    await page.viewport(390, 844);
    answer(portfolioApi.positions, [POSITION]);
    show();
    const row = card("Active Positions").getByRole("listitem");
    const link = row.getByRole("link", { name: "AAPL" });
    if (how === "the keyboard") {
      (await link.findElement()).focus();
      await userEvent.keyboard("{Enter}");
    } else {
      await row.click({ position: { x: 200, y: 50 } });
    }
    await expect.poll(() => window.location.pathname).toBe(`/positions/${POSITION.accountId}/AAPL`);
  });

const event = (nth: number, kind: Answer<typeof insightApi.today>["timeline"][number]["kind"], text: string) => ({
  kind,
  at: `2020-03-03T15:${10 + nth}:00.000Z`,
  until: null,
  parts: [{ text, isAmount: false }],
  href: `/decisions/${nth}`,
});

test("on a phone the day begins with the latest purchases and sales, and the looks come on demand", async () => {
  await page.viewport(390, 844);
  const bought = ["AAA", "BBB", "CCC", "DDD"].map((symbol, nth) => event(nth, "BOUGHT", `Bought ${symbol}`));
  const looks = Array.from({ length: 9 }, (_, nth) => event(10 + nth, "LOOKED", `Look ${nth}`));
  answer(insightApi.today, { ...TODAY, timeline: [...bought, ...looks] });
  show();
  const lines = () =>
    card("Timeline")
      .getByRole("listitem")
      .elements()
      .filter((line) => line.checkVisibility())
      .map(({ textContent }) => textContent.slice(5).trim());
  await expect.poll(lines).toEqual(["Bought DDD", "Bought CCC", "Bought BBB"]);
  await page.getByRole("button", { name: "Show the whole day" }).click();
  await expect.poll(lines).toHaveLength(13);
  await page.getByRole("button", { name: "Show less" }).click();
  await page.viewport(1280, 844);
  await expect.poll(lines).toEqual(
    looks
      .map((_, nth) => `Look ${nth}`)
      .reverse()
      .slice(0, 8),
  );
});

test("on a phone a day without a purchase or sale begins with its latest line", async () => {
  await page.viewport(390, 844);
  answer(insightApi.today, { ...TODAY, timeline: [event(1, "LOOKED", "Look 1"), event(2, "REFUSED", "Refused AAA")] });
  show();
  await expect.element(page.getByText("Refused AAA")).toBeVisible();
  await expect.element(page.getByText("Look 1")).not.toBeVisible();
});
