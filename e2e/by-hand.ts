import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { rowsOf } from "./books.ts";

interface Held {
  accountId: string;
  symbol: string;
  qty: string;
  price: string;
  stop: string;
}

/** The position that is furthest from its target, so that nothing else sells it meanwhile. */
async function heldOf(email: string): Promise<Held> {
  const [held] = await rowsOf<Held>(
    `select x."accountId"::text, x.symbol, x.qty::text, x."currentPrice"::text price, max(o."stopPrice")::text stop
     from "Position" x join "Account" a on a.id = x."accountId" join "User" u on u.id = a."userId"
     join "Order" o on o."accountId" = x."accountId" and o.symbol = x.symbol and o.role = 'STOP' and o.status in ('NEW', 'ACCEPTED', 'HELD')
     where u.email = $1 group by 1, 2, 3, 4, x."unrealizedPnlPercent" order by x."unrealizedPnlPercent" limit 1`,
    [email],
  );
  if (held === undefined) throw new Error("no position rests with its stop");
  return held;
}

const restingStops = ({ accountId, symbol }: Held) =>
  rowsOf<{ price: string; qty: string }>(
    `select "stopPrice"::float::text price, sum(qty)::float::text qty from "Order"
     where "accountId" = $1 and symbol = $2 and role = 'STOP' and status in ('NEW', 'ACCEPTED', 'HELD') group by 1`,
    [accountId, symbol],
  );

/** The owner raises the stop of a position, then sells it: both typed, both seen through to the broker's answer. */
export async function tightenAndSell(page: Page, email: string): Promise<void> {
  const held = await heldOf(email);
  const { accountId, symbol, qty } = held;
  await page.goto(`/positions/${accountId}/${symbol}`);
  const dialog = page.getByRole("dialog");

  await page.getByRole("button", { name: "Tighten stop" }).click();
  const level = ((Number(held.stop) + Number(held.price)) / 2).toFixed(2);
  await dialog.getByLabel("New stop, USD").fill("0.01");
  await dialog.getByLabel(`Type ${symbol} to confirm`).fill(symbol);
  await expect(dialog.getByText(/enter more than that/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Raise the stop" })).toBeDisabled();
  await dialog.getByLabel("New stop, USD").fill(level);
  await expectAccessible(page, "the dialog of the stop");
  await dialog.getByRole("button", { name: "Raise the stop" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => restingStops(held)).toEqual([{ price: String(Number(level)), qty: String(Number(qty)) }]);

  await page.getByRole("button", { name: "Sell now" }).click();
  await dialog.getByLabel(/^Type SELL/).fill(`SELL ${symbol}`);
  await expectAccessible(page, "the dialog of the sale");
  await dialog.getByRole("button", { name: "Sell now" }).click();
  await expect(dialog.getByText("Sold", { exact: true })).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole("link", { name: "See the trade" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Sell ${symbol}`);
  // Sold once, all of it, and no stop is left that could sell it again.
  const sold = `select sum("filledQty")::float::text qty from "Order"
     where "accountId" = $1 and symbol = $2 and reason = 'sold_by_hand'`;
  expect(await rowsOf(sold, [accountId, symbol])).toEqual([{ qty: String(Number(qty)) }]);
  expect(await restingStops(held)).toEqual([]);
}
