/** The answer on top of the dashboard, for who trades, who is new and who has paused. */
import { expect, type Page } from "@playwright/test";
import { load, signInAs } from "./page-watch.ts";
import { bearerOf, PASSWORD, verified } from "./people.ts";
import { run } from "./run.ts";
import { expectSound } from "./sound.ts";
import { test } from "./test.ts";

const today = (page: Page) => page.getByRole("region", { name: "Today", exact: true });
const action = (page: Page, name: string) => today(page).getByRole("button", { name, exact: true });

test("who trades reads the day first, in words of the outside, and each line of it opens its record", async ({
  page,
}) => {
  const trader = run().demo.trader;
  await signInAs(page, trader);
  await load(page, "/dashboard");
  await expect(today(page)).toContainText(/today|on [A-Z][a-z]{2} \d|since (its|their) first reading/);
  expect(await today(page).innerText()).not.toMatch(/cycle|\bseat|\bgate|regime|signal|conviction|NaN|undefined/i);
  const top = async (name: string) => (await page.getByRole("region", { name, exact: true }).boundingBox())?.y ?? NaN;
  expect(await top("Today")).toBeLessThan(await top("Total Portfolio"));

  const headers = { authorization: `Bearer ${await bearerOf(page, trader)}` };
  const { data } = (await (await page.request.get("/api/v1/insight/today", { headers })).json()) as {
    data: { timeline: { href: string }[] };
  };
  for (const { href } of data.timeline.slice(-3)) {
    const [, noun, id] = /^\/(decisions|trade-history)\/([^/?#]+)$/.exec(href) ?? [];
    if (noun === undefined) continue;
    const path = `/api/v1/${noun === "decisions" ? noun : "trades"}/${id}`;
    expect((await page.request.get(path, { headers })).status(), href).toBe(200);
  }
});

test("who is new reads that there is no account and what to do, and of no wait for nothing", async ({
  page,
  request,
}) => {
  await signInAs(page, { email: await verified(request, "today"), password: PASSWORD });
  await load(page, "/dashboard");
  await expect(today(page)).toContainText("No account yet");
  await expect(today(page).getByRole("link", { name: "Add account" })).toHaveAttribute("href", "/alpaca-keys");
  await expect(page.getByText("Next run in")).toHaveCount(0);
  await expectSound(page, "the page of who is new", "phone");
});

test("pausing from the answer is said there at once, with the way back", async ({ page, request }) => {
  const person = { email: await verified(request, "today-paused"), password: PASSWORD };
  await signInAs(page, person);
  const headers = { authorization: `Bearer ${await bearerOf(page, person)}` };
  expect((await page.request.post("/api/v1/accounts/practice", { headers, data: {} })).ok()).toBe(true);
  await load(page, "/dashboard");
  await action(page, "Pause").click();
  await expect(today(page)).toContainText(
    "You paused the automation: nothing is bought, sales and stops keep working.",
  );
  await expect(today(page)).toContainText("It buys again once you resume");
  await expect(page.getByText("Next run in")).toHaveCount(0);
  await expectSound(page, "the page of who has paused", "wide");
  await action(page, "Resume").click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume automation" }).click();
  await expect(action(page, "Pause")).toBeVisible();
});
