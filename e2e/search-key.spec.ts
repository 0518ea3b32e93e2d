import { expect } from "@playwright/test";
import { load, signInAs } from "./page-watch.ts";
import { run } from "./run.ts";
import { test } from "./test.ts";

test("the key / leads to the search field of a page, and opens the palette where a page has none", async ({ page }) => {
  await signInAs(page, run().demo.trader);
  for (const [path, label] of [
    ["/trade-history", "Symbol"],
    ["/logs", "Search"],
  ] as const) {
    await load(page, path);
    const field = page.getByLabel(label, { exact: true });
    await page.keyboard.press("/");
    await expect(field, path).toBeFocused();
    await expect(field, "the key itself is not typed").toHaveValue("");
    await page.keyboard.type("AA");
    await field.blur();
    await page.keyboard.press("/");
    await page.keyboard.type("MSFT");
    await expect(field, "what stood there is typed over").toHaveValue("MSFT");
  }
  for (const path of ["/settings", "/alpaca-keys"]) {
    await load(page, path);
    await page.keyboard.press("/");
    const palette = page.getByRole("combobox", { name: "Command menu" });
    await expect(palette, path).toBeFocused();
    await expect(palette).toHaveValue("");
    await page.keyboard.press("Escape");
    await expect(palette).toBeHidden();
  }
});
