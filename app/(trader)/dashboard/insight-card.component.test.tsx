import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { answerDashboard, TODAY } from "@/lib/proof/screen/dashboard-answers.ts";
import { overflowOfPage } from "@/lib/proof/screen/layout.ts";
import { expectAccessible, inTheme } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

type Daily = Answer<typeof insightApi.daily>;
type Brief = NonNullable<Daily["brief"]>;

const FOOT = "Written by Tradewind from your records; no language model was used.";

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
  writer: "TRADEWIND",
  model: null,
};
const DAILY: Daily = { environment: "PRACTICE", environments: ["PRACTICE"], isOn: true, brief: BRIEF };

const card = page.getByRole("region", { name: "Insight of the day" });
const inCard = () => expect.element(card);
const show = () => showPage("/dashboard", TRADER, <DashboardScreen />);
/** The brief is asked for by who opens it. */
const open = () => card.getByRole("button", { name: "Show", exact: true }).click();

beforeEach(() => {
  answerDashboard();
  answer(insightApi.daily, DAILY);
});

test("the insight says what the answer says to who opens it, below the figures, with a link to each record and who wrote it", async () => {
  show();
  await open();
  await inCard().toHaveTextContent(plain(BRIEF.headline));
  await inCard().toHaveTextContent("Tue 18 Feb 2020, session open, as of 12:10:05 ET");
  await inCard().toHaveTextContent(FOOT);
  for (const { parts, cites } of BRIEF.sentences) {
    const line = card.getByRole("listitem").filter({ hasText: plain(parts) });
    for (const { label, href } of cites)
      await expect.element(line.getByRole("link", { name: label, exact: true })).toHaveAttribute("href", href);
  }
  const top = async (name: string) =>
    (await page.getByRole("region", { name, exact: true }).findElement()).getBoundingClientRect().top;
  expect(await top("Equity")).toBeLessThan(await top("Insight of the day"));
  const aloud = (await card.findElement()).querySelectorAll("[aria-live], [role=status], [role=alert]");
  expect(aloud, "nothing is read aloud").toHaveLength(0);
});

test("the insight covers the amounts and nothing else when amounts are hidden", async () => {
  show();
  await open();
  await inCard().toHaveTextContent(FOOT);
  const amounts = () => [...card.element().querySelectorAll(".amount")];
  expect(amounts().map(({ textContent }) => textContent)).toEqual(["+$169.50", "$102,014.94"]);
  const covered = () =>
    expect.poll(() => amounts().map((each) => getComputedStyle(each).getPropertyValue("-webkit-text-security")));
  await covered().toEqual(["none", "none"]);
  await page.getByRole("button", { name: /hide amounts/i }).click();
  await covered().toEqual(["disc", "disc"]);
});

test("the insight is not there while the feature is off, and says what comes before the first record", async () => {
  answer(insightApi.today, { ...TODAY, hasInsight: false });
  show();
  await expect.element(page.getByRole("region", { name: "Cash" })).toHaveTextContent("$");
  // The answer on top is no insight.
  await expect.element(page.getByRole("region", { name: "Today", exact: true })).toHaveTextContent("SPY");
  await inCard().not.toBeInTheDocument();
  answer(insightApi.today, TODAY);
  answer(insightApi.daily, { ...DAILY, brief: null });
  show();
  await open();
  await inCard().toHaveTextContent(
    "Nothing has been recorded yet. The first brief comes with the first look at the market.",
  );
  await inCard().not.toHaveTextContent(FOOT);
});

test("the insight offers another try when it cannot be read", async () => {
  answer(insightApi.daily, refusal(503, "The database is unavailable."));
  show();
  await open();
  await inCard().toHaveTextContent("Failed to load the insight of the day");
  await inCard().toHaveTextContent("The database is unavailable.");
  answer(insightApi.daily, DAILY);
  await card.getByRole("button", { name: "Retry" }).click();
  await inCard().toHaveTextContent(plain(BRIEF.headline));
  await inCard().not.toHaveTextContent("Failed to load");
});

test("the dashboard with an open insight is no wider than the screen and free of grave axe violations, wide in the light and on a phone in the dark; a phone folds it", async () => {
  show();
  await open();
  const lines = () =>
    expect.poll(
      () =>
        card
          .getByRole("listitem")
          .elements()
          .filter((line) => line.checkVisibility()).length,
    );
  const more = card.getByRole("button", { name: "Show 2 more" });
  for (const [width, theme] of [
    [1440, "light"],
    [390, "dark"],
  ] as const) {
    await page.viewport(width, 900);
    inTheme(theme);
    const shown = width === 390 ? 4 : BRIEF.sentences.length;
    await lines().toBe(shown);
    if (width === 390) {
      await more.click();
      await lines().toBe(BRIEF.sentences.length);
      await card.getByRole("button", { name: "Show less" }).click();
      await lines().toBe(shown);
    } else await expect.element(more).not.toBeInTheDocument();
    await expectAccessible(`the dashboard at ${width} px`);
    expect(overflowOfPage()).toBeLessThanOrEqual(0);
  }
});
