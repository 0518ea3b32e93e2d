/** That the look at a page finds what it is for, although it measures two of the rows that look alike. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { test } from "./test.ts";

/** A table of a hundred rows, with something of its own in the 70th. */
const show = (page: Page, own: string) =>
  page.setContent(
    `<!doctype html><html lang="en"><head><title>Rows</title><style>.faint { color: #bbb; } .band { background: #888; }</style></head>
     <body><main><h1>Rows</h1><table><tbody>${Array.from({ length: 100 }, (_, nth) => (nth === 70 ? own : `<tr><td>Row ${nth}</td></tr>`)).join("")}</tbody></table></main></body></html>`,
  );

test("a table in which all can be read is well", async ({ page }) => {
  await show(page, "<tr><td>Row 70</td></tr>");
  await expectAccessible(page, "the table");
});

for (const [what, own, rule] of [
  ["a faint text", `<tr><td class="faint">Row 70</td></tr>`, "color-contrast"],
  ["a faint part of a text", `<tr><td>Row <b class="faint">70</b></td></tr>`, "color-contrast"],
  ["a row on a ground of its own", `<tr class="band"><td style="color: #666">Row 70</td></tr>`, "color-contrast"],
  ["a button without a name", `<tr><td><button></button></td></tr>`, "button-name"],
] as const) {
  test(`${what} is found in one of a hundred rows`, async ({ page }) => {
    await show(page, own);
    await expect(expectAccessible(page, "the table")).rejects.toThrow(rule);
  });
}
