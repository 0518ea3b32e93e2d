import { expect, it } from "vitest";
import { cycleLine } from "../engine/cycle-line.ts";
import { exampleAccount, exampleMarket, examplePolicy } from "@/lib/proof/example-market.ts";
import { openSession } from "../engine/session-view.ts";
import { GATE_CODES } from "../gates/gates.ts";
import { readCycleLine } from "./read-cycle-line.ts";

const session = openSession(exampleMarket([], []), examplePolicy);
const counts = { screened: 1503, seated: 50, signals: 1, orders: 0 };
const noRefusals = new Map<never, number>();

it("the engine's own line is read back, whatever the gate", () => {
  for (const code of GATE_CODES) {
    const line = cycleLine(session, exampleAccount(), counts, new Map([[code, 2]]));
    expect(readCycleLine(line), line).toEqual({ ...counts, refusals: [{ code, count: 2 }] });
  }
});

it("a line without refusals, and one that stops the whole account", () => {
  expect(readCycleLine(cycleLine(session, exampleAccount(), { ...counts, orders: 12 }, noRefusals))).toEqual({
    ...counts,
    orders: 12,
    refusals: [],
  });
  const paused = exampleAccount({ automationOff: "paused by you" });
  expect(readCycleLine(cycleLine(session, paused, counts, noRefusals))?.refusals).toEqual([
    { code: "automation_off", count: null },
  ]);
});

it.each(["", "The cycle failed.", "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 moonlight"])(
  "%j is no line of the engine's",
  (line) => {
    expect(readCycleLine(line)).toBeNull();
  },
);
