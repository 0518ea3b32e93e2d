import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, FIGURES } from "@/lib/proof/screen/dashboard-answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

const pointsOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => ({
    at: new Date(Date.UTC(2000, 0, 3, 21) + nth * 86_400_000).toISOString(),
    equity: 100_000 + 20_000 * Math.sin(nth / 400) + nth,
    netDeposits: 100_000,
  }));

for (const [count, says] of [
  [0, "No equity recorded yet"],
  [1, "One reading so far. The line starts with the second."],
  [10_000, "Equity from"],
] as const)
  test(`an equity line of ${count} points is drawn, or says what it waits for`, async () => {
    answerDashboard();
    const points = pointsOf(count);
    answer(portfolioApi.equity, { environment: "PRACTICE", environments: ["PRACTICE"], points, benchmark: [] });
    showPage("/dashboard", TRADER, <DashboardScreen />);
    const card = page.getByRole("region", { name: "Equity", exact: true });
    await expect.element(card.getByText(says).first()).toBeInTheDocument();
    const canvas = () => card.element().querySelector("canvas");
    if (count > 1) await expect.poll(() => canvas()?.checkVisibility()).toBe(true);
    else expect(canvas()).toBeNull();
  });

test("the line ends at the amount that the page shows", async () => {
  answerDashboard();
  const point = (at: string, equity: number) => ({ at, equity, netDeposits: 12_000 });
  const points = [point("2020-03-02T21:00:00.000Z", 12_357.97), point("2020-03-03T15:00:00.000Z", 12_100)];
  answer(portfolioApi.equity, { environment: "PRACTICE", environments: ["PRACTICE"], points, benchmark: [] });
  answer(portfolioApi.summary, FIGURES);
  showPage("/dashboard", TRADER, <DashboardScreen />);
  await expect
    .element(
      page
        .getByRole("region", { name: "Equity", exact: true })
        .getByText(/\$12,345\.67/)
        .first(),
    )
    .toBeInTheDocument();
});

test("what an account had made before it was added is no deposit or withdrawal at the line's end", async () => {
  answerDashboard();
  const point = (at: string) => ({ at, equity: 12_000, netDeposits: 12_000 });
  const points = [point("2020-03-02T21:00:00.000Z"), point("2020-03-03T15:00:00.000Z")];
  answer(portfolioApi.equity, { environment: "PRACTICE", environments: ["PRACTICE"], points, benchmark: [] });
  answer(portfolioApi.summary, { ...FIGURES, pnlTotal: 2345.67, pnlSinceAdded: 345.67 });
  showPage("/dashboard", TRADER, <DashboardScreen />);
  const card = page.getByRole("region", { name: "Equity", exact: true });
  await expect.element(card).toHaveTextContent("$12,345.67: a change of +$345.67, over 3 readings.");
});
