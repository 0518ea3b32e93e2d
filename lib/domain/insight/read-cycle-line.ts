import { GATE_CODES, GATE_OF, type GateCode } from "../gates/gates.ts";

/** What the line of a decision says (engine/cycle-line.ts). */
export interface CycleLine {
  screened: number;
  seated: number;
  signals: number;
  orders: number;
  /** By the first refusing gate. `count` is null where it stopped the whole account. */
  refusals: { code: GateCode; count: number | null }[];
}

const LINE =
  /^(?:\d\d:\d\d: )?(?<screened>\d+) screened, (?<seated>\d+) seated, (?<signals>\d+) signals?, (?<orders>\d+) orders?(?:: (?<tail>.+))?$/;
const REFUSAL = /^(?:(?<count>\d+) )?(?<word>.+)$/;
const CODE_OF = new Map(GATE_CODES.map((code) => [GATE_OF[code].label, code]));

/** Reads the line back; null for what is no such line, so that nothing is said of it. */
export function readCycleLine(line: string): CycleLine | null {
  const found = LINE.exec(line)?.groups;
  if (!found) return null;
  const refusals: CycleLine["refusals"] = [];
  for (const part of found.tail?.split(", ") ?? []) {
    const { count, word = "" } = REFUSAL.exec(part)?.groups ?? {};
    const code = CODE_OF.get(word);
    if (code === undefined) return null;
    refusals.push({ code, count: count === undefined ? null : Number(count) });
  }
  const { screened, seated, signals, orders } = found;
  return {
    screened: Number(screened),
    seated: Number(seated),
    signals: Number(signals),
    orders: Number(orders),
    refusals,
  };
}
