import { newYorkInstant } from "../lib/domain/time.ts";
import { nextSession, sessionHours, sessionsBetween } from "../lib/domain/market-calendar.ts";

/** `npm run bench:exchange -- --clock`: how far market time goes in wall time, at every speed, with closed hours and without. */

const SPEEDS = [1, 2, 10, 29, 30, 60, 600, 5_000];
const OFF_AT_MOST = 0.02;

interface Status {
  now: string;
  leftOutSeconds: number;
}
type Command = (body: { speed?: number; paused?: boolean; jumpTo?: string }) => Promise<Status>;

interface Row {
  speed: number;
  skipClosed: boolean;
  wallSeconds: number;
  marketSeconds: number;
  /** Share by which market time was off speed times wall time. */
  off: number;
  leftOutSeconds: number;
}

/** Market seconds between two instants; with closed hours skipped, those of open markets. */
function marketSeconds(from: string, to: string, skipClosed: boolean): number {
  if (!skipClosed) return (Date.parse(to) - Date.parse(from)) / 1000;
  let ms = 0;
  for (const date of sessionsBetween(from.slice(0, 10), to.slice(0, 10))) {
    const { opensAt, closesAt } = sessionHours(date)!;
    const begin = Math.max(Date.parse(from), Date.parse(opensAt));
    const end = Math.min(Date.parse(to), Date.parse(closesAt));
    ms += Math.max(0, end - begin);
  }
  return ms / 1000;
}

async function measure(command: Command, speed: number, skipClosed: boolean, seconds: number): Promise<Row> {
  const { now } = await command({ paused: true });
  await command({ speed, jumpTo: newYorkInstant(nextSession(now.slice(0, 10)), 10, 30) });
  const first = await command({ paused: false });
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const wallSeconds = (performance.now() - startedAt) / 1000;
  const last = await command({});
  const market = marketSeconds(first.now, last.now, skipClosed);
  return {
    speed,
    skipClosed,
    wallSeconds,
    marketSeconds: market,
    off: market / (wallSeconds * speed) - 1,
    leftOutSeconds: last.leftOutSeconds - first.leftOutSeconds,
  };
}

/** Measures one exchange after the other speed; returns whether every speed was met. */
export async function benchClock(
  exchanges: readonly { skipClosed: boolean; command: Command }[],
  seconds: number,
): Promise<boolean> {
  const rows: Row[] = [];
  for (const speed of SPEEDS)
    for (const { skipClosed, command } of exchanges) {
      const row = await measure(command, speed, skipClosed, seconds);
      rows.push(row);
      console.log(
        `${String(speed).padStart(5)}x  closed hours ${skipClosed ? "skipped" : "lived  "}  wall ${row.wallSeconds.toFixed(2)} s  ` +
          `market ${row.marketSeconds.toFixed(1).padStart(9)} s  off ${(row.off * 100).toFixed(2).padStart(6)} %  left out ${row.leftOutSeconds.toFixed(1)} s`,
      );
    }
  return rows.every(({ off }) => Math.abs(off) <= OFF_AT_MOST);
}
