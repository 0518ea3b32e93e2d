import { expect, it } from "vitest";
import { cycleLine } from "../engine/cycle-line.ts";
import { exampleAccount, exampleMarket } from "@/lib/proof/example-market.ts";
import type { CandidateVerdict } from "../engine/plan.ts";
import { GATE_CODES } from "../gates/gates.ts";
import { readCycleLine } from "./read-cycle-line.ts";

const market = exampleMarket([], []);
const counts = { screened: 1503, seated: 50, signals: 1, orders: 0 };
const refusedBy = (failing: CandidateVerdict["failing"]) => ({ failing }) as CandidateVerdict;

it("the engine's own line is read back, whatever the gate", () => {
  for (const code of GATE_CODES) {
    const line = cycleLine(market, exampleAccount(), counts, [refusedBy([code]), refusedBy([code, "size"])]);
    expect(readCycleLine(line), line).toEqual({ ...counts, refusals: [{ code, count: 2 }] });
  }
});

it("a line without refusals, and one that stops the whole account", () => {
  expect(readCycleLine(cycleLine(market, exampleAccount(), { ...counts, orders: 12 }, []))).toEqual({
    ...counts,
    orders: 12,
    refusals: [],
  });
  const paused = exampleAccount({ automationOff: "paused by you" });
  expect(readCycleLine(cycleLine(market, paused, counts, []))?.refusals).toEqual([
    { code: "automation_off", count: null },
  ]);
});

it.each(["", "The cycle failed.", "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 moonlight"])(
  "%j is no line of the engine's",
  (line) => {
    expect(readCycleLine(line)).toBeNull();
  },
);
