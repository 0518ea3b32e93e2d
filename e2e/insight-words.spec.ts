import { expect, type APIRequestContext, type Page } from "@playwright/test";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { expectAccessibleInThemes } from "./axe.ts";
import { rowsOf } from "./books.ts";
import { overflowOf } from "./layout.ts";
import { load, signInAs } from "./page-watch.ts";
import { signInOf } from "./people.ts";
import { run } from "./run.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

const demo = () => run().demo.trader;
const FOOT = "Written by Tradewind from your records; no language model was used.";
const words = (page: Page) => page.getByRole("region", { name: "In words" });
const rehearsal = (page: Page) => page.getByRole("region", { name: "What would it do if …" });

type Sentence = NonNullable<Answer<typeof insightApi.trade>["explanation"]>["sentences"][number];
const plain = ({ parts }: Sentence) => parts.map(({ text }) => text).join("");

async function call<T>(page: Page, request: APIRequestContext, path: string, body?: object): Promise<T> {
  const { token } = await signInOf(page, demo());
  const answer = await request.fetch(`/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { data: body }),
  });
  expect(answer.status(), path).toBe(200);
  return ((await answer.json()) as { data: T }).data;
}

const ofDemo = (table: string, condition: string, order: string) => `
  select x.id from "${table}" x join "Account" a on a.id = x."accountId" join "User" u on u.id = a."userId"
  where u.email = $1 and ${condition} order by ${order} limit 1`;

async function idOf(sql: string): Promise<string> {
  const [row] = await rowsOf<{ id: string }>(sql, [demo().email]);
  if (!row) throw new Error(`the demo trader has none: ${sql}`);
  return row.id;
}

test.beforeEach(({ page }) => signInAs(page, demo()));

for (const { what, table, condition, order, path, call: address } of [
  {
    what: "a trade's page says why it was made",
    table: "Order",
    condition: `x."side" = 'BUY' and x."filledQty" > 0`,
    order: `x."createdAt"`,
    path: "/trade-history/",
    call: "/insight/trades/",
  },
  {
    what: "a decision's page says why nothing more was bought",
    table: "DecisionRecord",
    condition: "true",
    order: `x."decidedAt"`,
    path: "/decisions/",
    call: "/insight/decisions/",
  },
]) {
  test(`${what}, sentence by sentence as the records tell it, and says who wrote it`, async ({ page, request }) => {
    const id = await idOf(ofDemo(table, condition, order));
    await load(page, `${path}${id}`);
    const { explanation: told } = await call<Answer<typeof insightApi.trade>>(page, request, `${address}${id}`);
    const sentences = told?.sentences ?? [];
    expect(sentences.length).toBeGreaterThan(1);
    const items = words(page).getByRole("listitem");
    await expect(items).toHaveCount(sentences.length);
    for (const [index, sentence] of sentences.entries()) await expect(items.nth(index)).toContainText(plain(sentence));
    await expect(words(page)).toContainText(FOOT);
    // A record that a sentence stands on is a click away.
    const link = words(page).getByRole("link").first();
    const href = await link.getAttribute("href");
    await link.click();
    await expect(page).toHaveURL(new RegExp(`${href?.replace(/[?#].*$/, "")}`));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
}

test("a rehearsal tells what the latest decision would be on a supposed market, under the regime that it would have", async ({
  page,
  request,
}) => {
  await load(page, "/decisions");
  const card = rehearsal(page);
  await card.getByLabel("VIX").fill("32");
  await card.getByLabel("SPY change (%)").fill("-5");
  const asked = page.waitForResponse("**/api/v1/insight/rehearsal");
  await card.getByRole("button", { name: "Rehearse" }).click();
  expect((await asked).request().postDataJSON()).toMatchObject({ vix: 32, spyChangePct: -5 });
  const { data } = (await (await asked).json()) as { data: Answer<typeof insightApi.rehearsal> };
  const told = data.rehearsal;
  if (told === null) throw new Error("nothing was rehearsed");
  await expect(card.getByText("Hypothetical", { exact: true })).toBeVisible();
  await expect(card).toContainText("Nothing was sent.");
  const items = card.getByRole("list").first().getByRole("listitem");
  await expect(items).toHaveCount(told.sentences.length);
  for (const [index, sentence] of told.sentences.entries())
    await expect(items.nth(index)).toContainText(plain(sentence));
  // A VIX of 32 lets no calm regime stand, whatever was decided.
  expect(told.regime.supposed.label).not.toBe("risk_on");
  await unfold(card.getByText("What is assumed"));
  await expect(card.getByText(told.assumptions[0] ?? "no assumption is told")).toBeVisible();
  await expectAccessibleInThemes(page, "the rehearsal");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  // The same question of the API gives the same answer: it is worked out from the record, not kept.
  // A decision that was made between two questions is another record: both are asked again.
  const ask = () =>
    call<Answer<typeof insightApi.rehearsal>>(page, request, "/insight/rehearsal", { vix: 32, spyChangePct: -5 });
  await expect(async () => {
    const [first, second] = [await ask(), await ask()];
    expect(first.rehearsal).not.toBeNull();
    expect(second.rehearsal?.decision.id).toBe(first.rehearsal?.decision.id);
    expect(second).toEqual(first);
  }).toPass();
});

test("a rehearsal of an impossible market names the field, keeps what was typed, and a preset is one press", async ({
  page,
}) => {
  await load(page, "/decisions");
  const card = rehearsal(page);
  await card.getByLabel("VIX").fill("900");
  await card.getByLabel("VIX").press("Enter");
  await expect(card.getByLabel("VIX")).toHaveAttribute("aria-invalid", "true");
  await expect(card.getByLabel("VIX")).toHaveValue("900");
  await expect(card.getByText("Hypothetical", { exact: true })).toHaveCount(0);
  await card.getByRole("button", { name: "Calm" }).click();
  await expect(card.getByText("Hypothetical", { exact: true })).toBeVisible();
  await expect(card.getByLabel("VIX")).toHaveValue("12");
  await expect(card.getByLabel("VIX")).not.toHaveAttribute("aria-invalid", "true");
});
