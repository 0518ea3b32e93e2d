import { expect, it } from "vitest";
import type { SeatKindName } from "../enums.ts";
import { seatHistory, type SymbolSelection } from "./seat-history.ts";

const on = (sessionDate: string, change: Partial<SymbolSelection> = {}): SymbolSelection => ({
  sessionDate,
  seat: null,
  swaps: [],
  refusedSwaps: [],
  isForcedOut: false,
  quarantine: null,
  ...change,
});
const seat = (tenureSessions: number, kind: SeatKindName = "fresh", rank = 7) => ({ rank, kind, tenureSessions });
const refused = (challenger: string, incumbent: string) => ({
  challenger,
  incumbent,
  margin: 3.2,
  why: "margin 3.2 is below 5",
});
const eventsOf = (...selections: SymbolSelection[]) =>
  seatHistory("AAA", selections).map(({ sessionDate, kind, text }) => [sessionDate.slice(-2), kind, text]);

it("tells of a seat from the day it was taken to the day it was lost, newest first", () => {
  expect(
    eventsOf(
      on("2020-02-03"),
      on("2020-02-04", {
        seat: seat(1),
        swaps: [{ challenger: "AAA", incumbent: "OLD", margin: 6 }],
      }),
      on("2020-02-05", { seat: seat(2) }),
      on("2020-02-06", { seat: seat(3, "sticky") }),
      on("2020-02-07", { seat: seat(4, "sticky") }),
      on("2020-02-10", { swaps: [{ challenger: "NEW", incumbent: "AAA", margin: 5.25 }] }),
      on("2020-02-11"),
    ),
  ).toEqual([
    ["10", "left", "Lost its seat to NEW by 5.3 points"],
    ["06", "sticky", "Sticky after 3 sessions in its seat"],
    ["04", "seated", "Seated at rank 7, took the seat of OLD by 6.0 points"],
  ]);
});

it("of the oldest selection says only what its own row says", () => {
  expect(eventsOf(on("2020-02-03", { seat: seat(1) }))).toEqual([["03", "seated", "Seated at rank 7"]]);
  expect(eventsOf(on("2020-02-03", { seat: seat(9, "sticky") }))).toEqual([]);
});

it.each<[Partial<SymbolSelection>, string]>([
  [{ quarantine: "the price jumped" }, "Lost its seat: the price jumped"],
  [{ isForcedOut: true }, "Lost its seat: no longer eligible, or no place left under the policy's seats and quotas"],
  [{}, "Lost its seat; the reason was not recorded"],
])("says why a seat was lost without a challenger: %o", (change, text) => {
  expect(eventsOf(on("2020-02-03", { seat: seat(9, "sticky") }), on("2020-02-04", change))).toEqual([
    ["04", "left", text],
  ]);
});

it("tells of refused swaps on either side, and not of those of others", () => {
  expect(
    eventsOf(
      on("2020-02-03", { refusedSwaps: [refused("AAA", "OLD"), refused("BBB", "CCC")] }),
      on("2020-02-04", { seat: seat(1), refusedSwaps: [refused("NEW", "AAA")] }),
    ),
  ).toEqual([
    ["04", "swap_refused", "Kept its seat against NEW: margin 3.2 is below 5"],
    ["04", "seated", "Seated at rank 7"],
    ["03", "swap_refused", "Not given the seat of OLD: margin 3.2 is below 5"],
  ]);
});
