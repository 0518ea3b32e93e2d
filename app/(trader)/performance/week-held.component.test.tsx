import { test } from "vitest";
import { page } from "vitest/browser";
import { textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { WeekHeld } from "./week-held.tsx";
import type { Week } from "./week-screen.tsx";

type Held = Week["held"][number];
const HELD: Held = {
  symbol: "AAPL",
  account: { id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6", name: "Main" },
  openedAt: "2026-11-18T15:00:00.000Z",
  quantity: 10,
  paid: 200,
  stop: 190,
  atStop: -100,
  isOpen: true,
};
const UNKNOWN: Held = { ...HELD, symbol: "MSFT", quantity: null, paid: null, stop: null, atStop: null };

const OF_SECOND: Held = {
  ...HELD,
  account: { id: "0192f0c1-2b3c-7d4e-8f90-000000000002", name: "Alpaca account PK1…" },
};

const show = (held = [HELD, UNKNOWN]) =>
  showPage(
    "/performance/week/2026-11-16",
    TRADER,
    <WeekHeld data={{ held, risk: { atStops: -100, unknown: 1 }, isRunning: true } as Week} />,
  );

test("what is not known of a position held in a week reads as that, never as zero", async () => {
  show();
  await textsOf("main tbody tr:nth-child(1) td:nth-child(n+3)").toEqual([
    "10",
    "$200.00",
    "$190.00",
    "-$100.00",
    "Still held",
  ]);
  await textsOf("main tbody tr:nth-child(2) td:nth-child(n+3)").toEqual(["—", "—", "—", "—", "Still held"]);
});

test("on a phone neither", async () => {
  await page.viewport(390, 844);
  show();
  await textsOf("main li").toEqual([
    "AAPL-$100.0010 at $200.00, stop $190.00, still held",
    "MSFT—Shares changed by a split, stop —, still held",
  ]);
});

test("positions of several accounts name theirs, on a phone too", async () => {
  await page.viewport(1200, 800);
  show([HELD, OF_SECOND]);
  await textsOf("main tbody td:last-child").toEqual(["Main", "Alpaca account PK1…"]);
  await page.viewport(390, 844);
  await textsOf("main li").toEqual([
    "AAPL-$100.0010 at $200.00, stop $190.00, still held, Main",
    "AAPL-$100.0010 at $200.00, stop $190.00, still held, Alpaca account PK1…",
  ]);
});
