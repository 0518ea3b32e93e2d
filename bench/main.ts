import { mkdirSync, writeFileSync } from "node:fs";
import { benchBacktest, generatedHistory, TRADED_FROM } from "./backtest.ts";
import { benchPeerBacktest } from "./backtest-peer.ts";
import { benchDecide, benchPlanTexts } from "./decide.ts";
import { benchIndicators } from "./indicators.ts";
import { benchScreening } from "./screening.ts";

/**
 * Times the trading core beside others' in one run: `npm run bench`. CPU time, medians of several rounds; the machine may be
 * shared, so read the ratios. Writes the same figures to .data/bench.json. Nothing here fails on a slow machine.
 */
interface Row {
  what: string;
  medianMs: number;
  leastMs: number;
  note: string;
}

const rows: Row[] = [];
function add(what: string, { medianMs, leastMs }: { medianMs: number; leastMs: number }, note: string): void {
  rows.push({ what, medianMs, leastMs, note });
  console.log(`${what.padEnd(58)} ${medianMs.toFixed(1).padStart(10)} ms   ${note}`);
}

const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;

const { ours, floor, technicalindicators, ixjb94, ixjb94Twelve } = benchIndicators(5000, 252, 5) as Record<
  "ours" | "floor" | "technicalindicators" | "ixjb94" | "ixjb94Twelve",
  { medianMs: number; leastMs: number }
>;
add("indicator set, 5,000 × 252, all series", ours, `${ratio(ours.medianMs, floor.medianMs)} the floor`);
add("  split-loop typed-array kernel (the floor)", floor, "");
add("  technicalindicators 3.1.0", technicalindicators, `${ratio(technicalindicators.medianMs, ours.medianMs)} ours`);
add("  @ixjb94/indicators 1.2.4", ixjb94, `${ratio(ixjb94.medianMs, ours.medianMs)} ours`);
add("  the same without ±DI and DX", ixjb94Twelve, `${ratio(ixjb94Twelve.medianMs, ours.medianMs)} ours`);

const screening = benchScreening(10_000, 400, 5);
add("screening 10,000 × 400 in memory", screening.whole, `${screening.eligible} eligible`);
add("  of which features", screening.features, "");

const decided = benchDecide(10_000, 3);
const perAccountMs = (decided.medianMs / decided.accounts).toFixed(3);
add(
  "decide for 10,000 accounts",
  decided,
  `${perAccountMs} ms an account, ${decided.signals} signals, ${decided.orders} orders`,
);

const written = benchPlanTexts(2_000, 5);
const kilobytes = (bytes: number) => `${(bytes / written.plans / 1000).toFixed(1)} KB a plan`;
add(
  "texts of 2,000 plans, by reference, and their hashed text",
  written.byReference,
  `${kilobytes(written.bytes.byReference)}, sheets of ${(written.bytes.sheets / 1000).toFixed(0)} KB in all`,
);
add(
  "  each as a whole",
  written.whole,
  `${kilobytes(written.bytes.whole)}, ${ratio(written.whole.medianMs, written.byReference.medianMs)} the above`,
);

const history = generatedHistory(505);
const backtest = benchBacktest(history, 9);
const barsPerSecond = ({ symbolBars, medianMs }: { symbolBars: number; medianMs: number }) =>
  symbolBars / (medianMs / 1000) / 1e6;
const speed = (run: { symbolBars: number; medianMs: number }) => `${barsPerSecond(run).toFixed(2)} M symbol-bars/s`;
add("backtest of 505 symbols × 2 years", backtest, `${speed(backtest)}, ${backtest.orders} orders`);
const peer = benchPeerBacktest(history, history.sessions.indexOf(TRADED_FROM), 3);
add(
  "  grademark 0.3.0, one symbol after the other",
  peer,
  `${speed(peer)}, ${ratio(peer.medianMs, backtest.medianMs)} ours, ${peer.trades} trades`,
);

mkdirSync(".data", { recursive: true });
writeFileSync(".data/bench.json", `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
