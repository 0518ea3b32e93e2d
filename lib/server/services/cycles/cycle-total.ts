import { GATE_CODES, GATE_OF, type GateCode } from "@/lib/domain/gates/gates.ts";
import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";

/** The line of decisions that said the same, and how many there were. */
export interface SaidLine {
  line: string;
  count: number;
}

export interface CycleTotal {
  signals: number;
  orders: number;
  line: string;
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`;

/**
 * The totals of a whole cycle over its accounts, in the words of the engine's own line with the counts added up. A reason that
 * stands for a whole account has no count and is said once.
 */
export function cycleTotal(
  { clock, screened, seated }: { clock: string; screened: number; seated: number },
  lines: readonly SaidLine[],
): CycleTotal {
  const total = { signals: 0, orders: 0 };
  const refusals = new Map<GateCode, number>();
  for (const { line, count } of lines) {
    const said = readCycleLine(line);
    if (said === null) throw new Error(`a decision's line cannot be read: ${line}`);
    total.signals += said.signals * count;
    total.orders += said.orders * count;
    for (const refusal of said.refusals)
      refusals.set(refusal.code, (refusals.get(refusal.code) ?? 0) + (refusal.count ?? 0) * count);
  }
  const parts = [...refusals]
    .sort(([a, m], [b, n]) => n - m || GATE_CODES.indexOf(a) - GATE_CODES.indexOf(b))
    .map(([code, count]) => (count === 0 ? GATE_OF[code].label : `${count} ${GATE_OF[code].label}`));
  const head = `${clock}: ${screened} screened, ${seated} seated, ${counted(total.signals, "signal")}, ${counted(total.orders, "order")}`;
  return { ...total, line: parts.length === 0 ? head : `${head}: ${parts.join(", ")}` };
}
