import { expect, type Page } from "@playwright/test";
import { LEGAL_SECTIONS } from "../app/_ui/legal/sections.ts";
import { unfold } from "./unfold.ts";
import { test } from "./test.ts";

/** What the specification says that the public pages say, to the letter; sections.test.ts holds the titles of the sections. */
const TITLE = "Terms of Service and Privacy Policy";
const LEGAL = ["/privacy-policy", "/terms-of-service"] as const;
const SECTIONS = LEGAL_SECTIONS.map(({ title }) => title);
const VERIFIED = "Email verified successfully! You can now log in.";

const heading = (page: Page, level: number) => page.getByRole("main").getByRole("heading", { level });

test("a visitor looks at the live demo without an account, and is led to one", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Open the live demo" }).click();
  await expect(page).toHaveURL(/\/demo$/);
  await expect(heading(page, 1)).toContainText("Live demo");
  await expect(page.getByRole("region", { name: "Today" })).toContainText(/today|market/i);
  await expect(page.getByRole("main")).toContainText("simulated money");
  await expect(page.locator("canvas").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Why it bought [A-Z.]+$/ })).toBeVisible();
  // Nothing leads to a page that asks for a sign-in.
  const links = page.getByRole("main").locator("a[href^='/']");
  await expect(links).toHaveCount(1);
  await links.first().click();
  await expect(page).toHaveURL(/\/auth\?view=register$/);
});

test.describe("the landing page", () => {
  test("has a hero, three feature cards, the way in, the way on and the risk warning", async ({ page }) => {
    await page.goto("/");
    await expect(heading(page, 1)).toHaveCount(1);
    for (const name of ["Real-time Analytics", "AI-Powered Insights", "Risk Management"]) {
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
    }
    await expect(page.getByRole("main").getByRole("link", { name: "Get started" })).toHaveAttribute(
      "href",
      "/auth?view=register",
    );
    await expect(page.getByRole("main").locator('a[href="/learn-more"]')).toHaveCount(1);
    await expect(page.getByRole("region", { name: "Risk Warning" })).toContainText(
      "Trading carries substantial risk of loss",
    );
    await expect(page.getByRole("main")).toContainText("algorithmic trading platform");
    await expect(page.getByRole("main")).toContainText("trades autonomously");
    await expect(page.getByRole("main")).toContainText("No brokerage API keys or credentials are needed");
    await expect(page.getByText(VERIFIED)).toHaveCount(0);
  });

  test("pictures the product without a result", async ({ page }) => {
    await page.goto("/");
    const picture = page.getByRole("figure");
    await expect(picture).toContainText("PRACTICE");
    await expect(picture).toContainText("Not a result");
    // A gain or a loss would stand with its sign, or as a percentage.
    expect(await picture.innerText()).not.toMatch(/[+−-]\$|%|P&L|profit|return/i);
  });

  test("leads on by its links", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get started" }).click();
    await expect(page).toHaveURL(/\/auth\?view=register$/);
    await expect(heading(page, 1)).toHaveText("Create your account");
    await page.goto("/");
    await page.locator('main a[href="/learn-more"]').click();
    await expect(page).toHaveURL(/\/learn-more$/);
    await page.getByRole("link", { name: "Back to home" }).click();
    await expect(page).toHaveURL(/\/$/);
    await page.goto("/learn-more");
    await page.getByRole("link", { name: "Get started" }).click();
    await expect(page).toHaveURL(/\/auth\?view=register$/);
  });

  test("shows the green banner of a verified address for 5 seconds, and nothing moves when it goes", async ({
    page,
  }) => {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto("/?verified=true");
    const banner = page.getByRole("status").filter({ hasText: VERIFIED });
    await expect(banner).toBeVisible();
    await expect(banner).toHaveClass(/gain/);
    // Once the page answers to a click, its timers run, on the clock that stands still.
    await expect(async () => {
      const before = await page.locator("html").getAttribute("class");
      await page.getByRole("button", { name: "Switch between light and dark" }).click();
      expect(await page.locator("html").getAttribute("class")).not.toBe(before);
    }).toPass();
    const headline = await heading(page, 1).boundingBox();
    await page.clock.runFor(4900);
    await expect(banner).toBeVisible();
    await page.clock.runFor(200);
    await expect(banner).toHaveCount(0);
    expect(await heading(page, 1).boundingBox()).toEqual(headline);
  });

  for (const search of ["?verified=false", "?verified=1", "?verified"]) {
    test(`shows no banner for /${search}`, async ({ page }) => {
      await page.goto(`/${search}`);
      await expect(heading(page, 1)).toBeVisible();
      await expect(page.getByText(VERIFIED)).toHaveCount(0);
    });
  }
});

test.describe("the about page", () => {
  test("has its five sections, in their order, and a comparison as a table", async ({ page }) => {
    await page.goto("/learn-more");
    await expect(heading(page, 2)).toHaveText([
      "Autonomous Trading",
      "Security",
      "Comparison with Traditional Platforms",
      "AI Technology",
      "Reasons to Choose Tradewind",
      "Risk Warning",
    ]);
    const comparison = page.getByRole("table", { name: "Tradewind compared with traditional trading platforms" });
    await expect(comparison.getByRole("columnheader")).toHaveText(["Subject", "Traditional platform", "Tradewind"]);
    expect(await comparison.getByRole("row").count()).toBeGreaterThan(5);
    await expect(page.getByRole("main").locator('a[href="/auth"]')).toHaveCount(1);
    await expect(page.getByRole("main").locator('a[href="/"]')).toHaveCount(1);
  });

  test("keeps its table a table on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/learn-more");
    const rows = page.getByRole("table").getByRole("row");
    await expect(rows.nth(1).getByRole("rowheader")).toBeVisible();
    await expect(rows.nth(1).getByRole("cell")).toHaveCount(2);
  });
});

test.describe("the legal text", () => {
  for (const path of LEGAL) {
    test(`${path} has the sections, the ages, the target and the ways of dispute`, async ({ page }) => {
      await page.goto(path);
      await expect(heading(page, 1)).toHaveText(TITLE);
      await expect(heading(page, 2)).toHaveText(SECTIONS.map((title, index) => `${index + 1}. ${title}`));
      for (const said of [
        /Effective December 1, 2025/,
        /not for anyone under 18/,
        /We aim for 99\.9% uptime/,
        /binding arbitration/i,
        /class action waiver/i,
        /substantial risk of loss/,
        /Argon2id/,
      ]) {
        await expect(page.getByRole("article")).toContainText(said);
      }
      const support = await page
        .getByRole("contentinfo")
        .getByRole("link", { name: "Contact Support" })
        .getAttribute("href");
      const contact = page.getByRole("region", { name: "9. Contact Information" }).getByRole("link", { name: "@" });
      expect(support).toContain((await contact.getAttribute("href")) ?? "nothing");
    });
  }

  test("is the same on both pages", async ({ page }) => {
    const texts: string[] = [];
    for (const path of LEGAL) {
      await page.goto(path);
      texts.push(await page.getByRole("article").innerText());
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]?.length).toBeGreaterThan(10_000);
  });

  test("numbers every clause, and gives it an address", async ({ page }) => {
    await page.goto("/terms-of-service");
    const clauses = page.getByRole("article").locator('[id^="clause-"]');
    const ids = await clauses.evaluateAll((nodes) => nodes.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
    for (const section of SECTIONS.keys()) expect(ids).toContain(`clause-${section + 1}.1`);
    await page.goto("/terms-of-service#clause-10.5");
    await expect(page.locator(":target")).toContainText("CLASS ACTION WAIVER");
    await expect(page.locator(":target")).toBeInViewport();
  });

  test("keeps its contents in view on a wide screen", async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/terms-of-service");
    const contents = page.getByRole("navigation", { name: "Contents" });
    await expect(contents.getByRole("link")).toHaveCount(SECTIONS.length);
    await contents.getByRole("link", { name: "Governing Law" }).click();
    await expect(heading(page, 2).filter({ hasText: "Governing Law" })).toBeInViewport();
    await expect(contents.getByRole("link", { name: "Investment Disclaimer" })).toBeInViewport();
  });

  test("folds its contents away on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/privacy-policy");
    const link = page.getByRole("link", { name: "Service Availability" });
    await expect(link).toBeHidden();
    await unfold(page.getByText("Contents", { exact: true }).filter({ visible: true }));
    await link.click();
    await expect(heading(page, 2).filter({ hasText: "Service Availability" })).toBeInViewport();
  });

  test("prints without the frame around it", async ({ page }) => {
    await page.goto("/terms-of-service");
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("contentinfo")).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Contents" })).toBeHidden();
    await expect(heading(page, 1)).toBeVisible();
  });
});

test.describe("every public page", () => {
  for (const path of ["/", "/learn-more", ...LEGAL, "/auth"]) {
    test(`${path} has brand, footer, title, description and headings in order`, async ({ page }) => {
      await page.goto(path);
      const brand = page.getByRole("banner").getByRole("link", { name: "Tradewind", exact: true });
      await expect(brand).toHaveAttribute("href", "/");
      await expect(brand.locator("img, svg"), "the brand is text only").toHaveCount(0);
      const footer = page.getByRole("contentinfo");
      await expect(footer).toContainText("© 2025");
      await expect(footer.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute("href", "/privacy-policy");
      await expect(footer.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute("target", "_blank");
      await expect(footer.getByRole("link", { name: "Privacy Policy" })).toHaveAttribute("rel", /noopener/);
      await expect(footer.getByRole("link", { name: "Contact Support" })).toHaveAttribute("href", /^mailto:[^@?]+@/);
      await expect(page).toHaveTitle(/Tradewind/);
      await expect(page.locator('meta[name="description"]')).toHaveAttribute("content", /\w{3}/);
      await expect(heading(page, 1)).toBeVisible();
      const levels = await page
        .getByRole("heading")
        .evaluateAll((nodes) => nodes.map(({ tagName }) => Number(tagName.slice(1))));
      expect(levels[0]).toBe(1);
      levels.forEach((level, index) => expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1));
    });
  }

  test("opens the privacy policy in a new tab that cannot reach back", async ({ page }) => {
    await page.goto("/");
    const opened = page.waitForEvent("popup");
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
    const tab = await opened;
    await expect(heading(tab, 1)).toHaveText(TITLE);
    expect(await tab.evaluate(() => window.opener === null)).toBe(true);
    await expect(page).toHaveURL(/\/$/);
  });

  test("lets the keyboard skip to the content, and shows where it is", async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Tab");
    const way = page.getByRole("link", { name: "Get started" });
    await expect(way).toBeFocused();
    expect(await way.evaluate((node) => getComputedStyle(node).outlineStyle)).toBe("solid");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/auth\?view=register$/);
  });

  test("tells robots what is public", async ({ request }) => {
    const robots = await request.get("/robots.txt");
    expect(robots.headers()["content-type"]).toContain("text/plain");
    const lines = (await robots.text()).split("\n");
    expect(lines).toEqual(
      expect.arrayContaining(["User-Agent: *", "Allow: /", "Disallow: /api/", "Disallow: /dashboard"]),
    );
  });
});
