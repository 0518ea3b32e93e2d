import { test } from "vitest";
import { textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { WeekFigures } from "./week-figures.tsx";
import type { Week } from "./week-screen.tsx";

const FIGURES: NonNullable<Week["figures"]> = {
  equityStart: 1_000,
  equityEnd: 1_000,
  netDeposits: 0,
  pnl: 0,
  realizedPnl: 0,
  value: 0,
  spy: 0,
  bought: { orders: 0, value: 0 },
  sold: { orders: 0, value: 0 },
  fees: 0,
  wins: 0,
  losses: 0,
  scratches: 0,
  best: null,
  worst: null,
  exits: [],
  halts: [{ at: "2026-11-20T15:00:00.000Z", account: "Main", reason: "drawdown" }],
  besideSessions: 0,
};
const show = (environment: Week["environment"]) =>
  showPage("/performance/week/2018-02-05", TRADER, <WeekFigures figures={FIGURES} environment={environment} />);

test("a halt in a week of the practice market is not dated by the wall clock, years after the week", async () => {
  show("PRACTICE");
  await textsOf("main h3 + ul li").toEqual(["Main: drawdown"]);
});

test("a halt in a week of the US market has its time", async () => {
  show("LIVE");
  await textsOf("main h3 + ul li").toEqual(["Fri 20 Nov 2026 10:00 ET, Main: drawdown"]);
});
