import { useSyncExternalStore } from "react";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { positionsApi } from "@/lib/contracts/positions.ts";
import { answer, bare, refusal, unreachable } from "@/lib/proof/screen/answers.ts";
import { says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { PositionActions } from "./position-actions.tsx";

const ACCOUNT = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";
const HELD = { qty: 38, covered: 38, price: 200, stopPrice: 190 as number | null, isGone: false };
const UNSURE = "It is not known whether the order was sent. Press Sell now again to check: it is never sent twice";

let held = HELD;
const listeners = new Set<() => void>();
/** The position as a poll brings it. */
function polled(next: Partial<typeof HELD>) {
  held = { ...held, ...next };
  for (const listener of listeners) listener();
}
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
function Position() {
  const now = useSyncExternalStore(listen, () => held);
  return <PositionActions accountId={ACCOUNT} account="Main" symbol="AAPL" environment="LIVE" {...now} />;
}

type Sale = Answer<typeof positionsApi.sell>;
const SOLD: Sale = {
  requestId: "0192f0c1-0000-4000-8000-000000000009",
  accountId: ACCOUNT,
  symbol: "AAPL",
  requestedAt: "2026-11-20T15:00:00.000Z",
  state: "filled",
  quantity: 30,
  filledQuantity: 30,
  averagePrice: 200,
  tradeId: null,
  message: "Sold 30 AAPL at $200.00.",
};

const button = (name: string) => page.getByRole("button", { name, exact: true });
const inDialog = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const shares = page.getByLabelText("Shares to sell");
const stop = page.getByLabelText("New stop, USD");
const confirmSale = async () => {
  await page.getByLabelText("Type SELL AAPL to confirm").fill("SELL AAPL");
  await inDialog("Sell now").click();
};
const confirmStop = async () => {
  await page.getByLabelText("Type AAPL to confirm").fill("AAPL");
  await inDialog("Raise the stop").click();
};
/** Sells 30 shares, whose answer is lost. */
async function loseSale() {
  const sent = answer(positionsApi.sell, unreachable());
  await button("Sell now").click();
  await shares.fill("30");
  await confirmSale();
  await says(UNSURE).toBeVisible();
  return sent;
}

beforeEach(() => {
  held = HELD;
  showPage(`/positions/${ACCOUNT}/AAPL`, TRADER, <Position />);
});

test("a sale whose answer was lost is asked about with what was sent, though the holding is smaller by now", async () => {
  const first = await loseSale();
  polled({ qty: 8 });
  await expect.element(shares).toHaveValue("30");
  await expect.element(page.getByText(/Enter whole shares/)).not.toBeInTheDocument();
  const second = answer(positionsApi.sell, SOLD);
  await inDialog("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(first).toHaveLength(1);
  expect(second).toEqual(first);
});

test("a sale whose answer was lost is asked about with what was sent, also from a dialog that is opened again", async () => {
  const first = await loseSale();
  await inDialog("Cancel").click();
  polled({ qty: 8 });
  await button("Sell now").click();
  await says(UNSURE).toBeVisible();
  await expect.element(shares).toHaveValue("30");
  await expect.element(shares).toBeDisabled();
  const second = answer(positionsApi.sell, SOLD);
  await confirmSale();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(second).toEqual(first);
});

test("a sale whose answer was lost can be asked about when the position is gone", async () => {
  const first = await loseSale();
  await inDialog("Cancel").click();
  polled({ isGone: true });
  const second = answer(positionsApi.sell, SOLD);
  await button("Sell now").click();
  await confirmSale();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(second).toEqual(first);
  await inDialog("Close").click();
  await expect.element(button("Sell now")).not.toBeInTheDocument();
});

test("an answer that came while the dialog was closed is shown when it is opened", async () => {
  let give = (_: Sale) => {};
  const answered = new Promise<Sale>((resolve) => {
    give = resolve;
  });
  const sent = answer(positionsApi.sell, () => answered);
  await button("Sell now").click();
  await confirmSale();
  await inDialog("Cancel").click();
  await button("Sell now").click();
  await expect.element(inDialog("Selling...")).toHaveAttribute("aria-disabled", "true");
  await inDialog("Cancel").click();
  give(SOLD);
  await expect.element(button("Sell now")).toBeVisible();
  await button("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(sent).toHaveLength(1);
});

test.each([
  ["a success that cannot be read", bare(200, "fine")],
  ["an empty success", bare(200, "")],
  ["a refusal of something in between", bare(403, "<html></html>")],
  ["a failure of the server", refusal(500)],
])("%s leaves open whether the sale was sent", async (_, reply) => {
  const first = answer(positionsApi.sell, reply);
  await button("Sell now").click();
  await confirmSale();
  await says(UNSURE).toBeVisible();
  const second = answer(positionsApi.sell, SOLD);
  await inDialog("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(second).toEqual(first);
});

test("a repeat that a limit turned away says nothing about the sale before it", async () => {
  const first = await loseSale();
  answer(positionsApi.sell, refusal(429, "Too many requests.", "too_many_requests"));
  await inDialog("Sell now").click();
  await says("Too many requests.").toBeVisible();
  await says(UNSURE).toBeVisible();
  const third = answer(positionsApi.sell, SOLD);
  await inDialog("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(third).toEqual(first);
});

test("a sale that never came to anything is over: the next one has its own id and shares", async () => {
  const first = await loseSale();
  polled({ qty: 8 });
  answer(positionsApi.sell, refusal(400, "You hold 8 AAPL: enter as many or fewer.", "invalid_input"));
  await inDialog("Sell now").click();
  await says("Nothing was sold").toBeVisible();
  await shares.fill("5");
  const next = answer(positionsApi.sell, SOLD);
  await inDialog("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(next[0]?.qty).toBe(5);
  expect(next[0]?.requestId).not.toBe(first[0]?.requestId);
});

test("a limit that turned the first request away sold nothing", async () => {
  answer(positionsApi.sell, refusal(429, "Too many requests.", "too_many_requests"));
  await button("Sell now").click();
  await confirmSale();
  await says("Nothing was sold").toBeVisible();
});

const BUSY = refusal(409, "The account is busy: this request sent nothing. Try again in a moment.", "account_busy");

test("a first sale that found the account busy sold nothing, and its shares can be changed", async () => {
  answer(positionsApi.sell, BUSY);
  await button("Sell now").click();
  await confirmSale();
  await says("Nothing was sold").toBeVisible();
  await expect.element(page.getByText(UNSURE)).not.toBeInTheDocument();
  await expect.element(shares).toBeEnabled();
});

test("a repeat that found the account busy says nothing about the sale before it, which may be what keeps it busy", async () => {
  const first = await loseSale();
  answer(positionsApi.sell, BUSY);
  await inDialog("Sell now").click();
  await says("The account is busy: this request sent nothing. Try again in a moment.").toBeVisible();
  await says(UNSURE).toBeVisible();
  const third = answer(positionsApi.sell, SOLD);
  await inDialog("Sell now").click();
  await says("Sold 30 AAPL at $200.00.").toBeVisible();
  expect(third).toEqual(first);
});

test("shares and prices with a comma for the decimal point are refused", async () => {
  await button("Sell now").click();
  await page.getByLabelText("Type SELL AAPL to confirm").fill("SELL AAPL");
  await expect.element(inDialog("Sell now")).not.toHaveAttribute("aria-disabled");
  await shares.fill("1,5");
  await says("Enter whole shares, 38 at most.").toBeVisible();
  await expect.element(inDialog("Sell now")).toHaveAttribute("aria-disabled", "true");
  await inDialog("Cancel").click();
  await button("Tighten stop").click();
  await page.getByLabelText("Type AAPL to confirm").fill("AAPL");
  await stop.fill("19,5");
  await says("Enter a price, such as 101.50.").toBeVisible();
  await expect.element(inDialog("Raise the stop")).toHaveAttribute("aria-disabled", "true");
});

const RAISED: Answer<typeof positionsApi.tightenStop> = {
  requestId: "0192f0c1-0000-4000-8000-000000000009",
  accountId: ACCOUNT,
  symbol: "AAPL",
  stopPrice: 195,
  stopBefore: null,
  message: "The stop of AAPL rests at $195.00.",
};
async function loseRaise() {
  const sent = answer(positionsApi.tightenStop, unreachable());
  await button("Tighten stop").click();
  await stop.fill("195");
  await confirmStop();
  await says("It is not known whether the stop was raised. Try again to check").toBeVisible();
  return sent;
}

test("what a raised stop would sell is told in the number of the shares", async () => {
  polled({ qty: 1 });
  await button("Tighten stop").click();
  await stop.fill("195");
  await expect.element(page.getByText("if the price falls to it, 1 AAPL is sold for about $195.00")).toBeVisible();
});

test("a raised stop sells the shares that it covers, and no fraction", async () => {
  polled({ qty: 1.9, covered: 1 });
  await button("Tighten stop").click();
  await stop.fill("195");
  await expect.element(page.getByText("if the price falls to it, 1 AAPL is sold for about $195.00")).toBeVisible();
  await says("from the current price, that risks $5.00, instead of $10.00").toBeVisible();
});

test.each([
  [38, 30, "the stop at $190.00 is cancelled first; the remaining 8 shares get it again at once"],
  [38, 37, "the stop at $190.00 is cancelled first; the remaining 1 share gets it again at once"],
  [38.5, 30, "the stop at $190.00 is cancelled first; of the remaining 8.5 shares, 8 get it again at once"],
  [2.9, 1, "the stop at $190.00 is cancelled first; of the remaining 1.9 shares, 1 gets it again at once"],
  [1.9, 1, "the stop at $190.00 is cancelled first; the remaining 0.9 shares stay without a stop"],
])("of %d shares, selling %d gives only what is left in whole shares its stop again", async (qty, sold, text) => {
  polled({ qty, covered: Math.floor(qty) });
  await button("Sell now").click();
  await shares.fill(String(sold));
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});

test("both dialogs say of which account the shares are", async () => {
  await button("Sell now").click();
  await says(
    "In Main, the shares are sold at the market price, with real money. A sale cannot be taken back.",
  ).toBeVisible();
  await inDialog("Cancel").click();
  await button("Tighten stop").click();
  await expect.element(page.getByText(/^In Main, the stop is raised at your broker/)).toBeVisible();
});

test("a raise whose answer was lost is asked about with what was sent, though the stop rests there by now", async () => {
  const first = await loseRaise();
  polled({ stopPrice: 195 });
  await expect.element(page.getByText(/enter more than that/)).not.toBeInTheDocument();
  const second = answer(positionsApi.tightenStop, RAISED);
  await inDialog("Raise the stop").click();
  await says("The stop of AAPL rests at $195.00.").toBeVisible();
  expect(second).toEqual(first);
});

test("a raise whose answer was lost is asked about from a dialog that is opened again, though no stop rests", async () => {
  const first = await loseRaise();
  await inDialog("Cancel").click();
  polled({ stopPrice: null });
  await button("Tighten stop").click();
  await expect.element(stop).toHaveValue("195");
  const second = answer(positionsApi.tightenStop, RAISED);
  await confirmStop();
  await says("The stop of AAPL rests at $195.00.").toBeVisible();
  expect(second).toEqual(first);
});

test("a refused repeat does not claim that the stop was never raised", async () => {
  await loseRaise();
  polled({ isGone: true, stopPrice: null });
  answer(positionsApi.tightenStop, refusal(404, "This account holds no AAPL.", "not_found"));
  await inDialog("Raise the stop").click();
  await says("This account holds no AAPL.").toBeVisible();
  await says("The stop does not rest at that price").toBeVisible();
});
