import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { type HistoryIndex, indexHistory } from "@/lib/domain/backtest/market.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readTape } from "@/lib/exchange/market/tape.ts";

/** A tape as a backtest reads it. A tape without reports has no earnings calendar, and no entry passes. */
export function readHistory(directory: string, seed: number): HistoryIndex {
  const market = readTape(directory, seed);
  return indexHistory({
    name: market.name,
    sessions: [...market.sessions],
    symbols: market.symbols.map((symbol) => {
      const asset = market.assets.get(symbol);
      const { open, high, low, close, volume } = market.series(symbol)!;
      const column = (values: ArrayLike<number>) =>
        values instanceof Float64Array ? values : Float64Array.from(values);
      return {
        symbol,
        name: asset?.name ?? symbol,
        sector: asset?.sector ?? null,
        open: column(open),
        high: column(high),
        low: column(low),
        close: column(close),
        volume: column(volume),
      };
    }),
    splits: [...market.splits],
    dividends: [...market.dividends],
    earnings: market.earnings.length === 0 ? null : [...market.earnings],
    vix: [...market.vix],
  });
}

/** What the tape is, whatever its directory is called: SHA-256 of its bars. */
export function tapeHash(directory: string): string {
  return createHash("sha256")
    .update(readFileSync(path.join(directory, "bars.csv.gz")))
    .digest("hex");
}

/**
 * First and last traded session: what was asked for, moved inwards to sessions of the tape. By default trading begins
 * where symbols have enough bars to be eligible.
 */
export function tradedSessions(
  { history }: HistoryIndex,
  minBars: number,
  asked: { from: SessionDate | null; to: SessionDate | null },
): { from: SessionDate; to: SessionDate } {
  const { sessions, name } = history;
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) throw new Failure("invalid_input", `The tape ${name} has no bars.`);
  const earliest = sessions[minBars];
  if (asked.from === null && earliest === undefined)
    throw new Failure(
      "invalid_input",
      `The tape ${name} has ${sessions.length} sessions; a symbol is eligible after ${minBars}. Give --from or a policy with fewer min_bars.`,
    );
  const wanted = asked.from ?? earliest!;
  // The first session of a tape has no closed bar before it.
  const from = sessions.find((date, i) => i > 0 && date >= wanted);
  const to = sessions.findLast((date) => date <= (asked.to ?? last));
  if (from === undefined || to === undefined || from > to)
    throw new Failure(
      "invalid_input",
      `The tape ${name} has no sessions from ${wanted} to ${asked.to ?? last}: it runs from ${first} to ${last}.`,
    );
  return { from, to };
}
