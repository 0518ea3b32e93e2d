"use client";
import { useMemo, useState } from "react";
import {
  type Candles,
  type ChartLevel,
  type ChartTrade,
  levelLines,
  type LevelLine,
  type Split,
} from "@/lib/domain/candle-chart.ts";
import { countText, dateText, easternText, moneyText, signedPercentText } from "@/lib/domain/format.ts";
import { CandleCanvas } from "./candle-canvas.tsx";
import { CandleFigures } from "./candle-figures.tsx";
import { MarkList } from "./mark-list.tsx";
import { AmountsText } from "./money.tsx";
import { Segmented } from "./segmented.tsx";
import { TradeKey } from "./trade-key.tsx";

/** Sessions that each pill shows. */
const PERIODS = [
  { value: "3m", label: "3 months", sessions: 63 },
  { value: "6m", label: "6 months", sessions: 126 },
  { value: "1y", label: "1 year", sessions: 252 },
  { value: "2y", label: "2 years", sessions: 506 },
] as const;
type Period = (typeof PERIODS)[number]["value"];

/** The newest price, where its session has no candle yet. */
export interface CurrentPrice {
  price: number;
  session: string;
  at: string;
}

/** Everything that is drawn. */
export interface CandleLine {
  candles: Candles;
  now: CurrentPrice | null;
  /** The sessions of the candles, with the running one behind them. */
  all: readonly string[];
  trades: readonly ChartTrade[];
  levels: readonly LevelLine[];
  /** Sessions of past reports. */
  earnings: readonly string[];
  /** How many sessions are in sight at first. */
  visible: number;
  /** The one value that head, crosshair and axis tell of a session; of none the newest. */
  priceAt: (place: number | null) => number | undefined;
}

interface CandleChartProps {
  symbol: string;
  bars: Candles;
  splits: readonly Split[];
  current: CurrentPrice | null;
  trades: readonly ChartTrade[];
  levels: readonly ChartLevel[];
  /** Days of reports. */
  earnings: readonly string[];
  onOpenTrade: (tradeId: string) => void;
}

/** Candles with their volume and averages, the reader's trades, stops and targets, a summary in words and the figures as a table. */
export function CandleChart({
  symbol,
  bars,
  splits,
  current,
  trades,
  levels,
  earnings,
  onOpenTrade,
}: CandleChartProps) {
  const [period, setPeriod] = useState<Period>("6m");
  const [hovered, setHovered] = useState<number | null>(null);
  const [picked, setPicked] = useState<readonly ChartTrade[]>([]);
  const visible = PERIODS.find(({ value }) => value === period)?.sessions ?? 126;
  const line = useMemo((): CandleLine => {
    const now = current !== null && current.session > (bars.sessions.at(-1) ?? "") ? current : null;
    const all = now === null ? bars.sessions : [...bars.sessions, now.session];
    return {
      candles: bars,
      now,
      all,
      trades,
      levels: levelLines(levels, all, splits),
      earnings: earnings.filter((day) => bars.sessions.includes(day)),
      visible,
      priceAt: (place) =>
        place === null ? (now?.price ?? bars.close.at(-1)) : place < bars.close.length ? bars.close[place] : now?.price,
    };
  }, [bars, splits, current, trades, levels, earnings, visible]);
  const marks = picked.map((trade) => ({
    tradeId: trade.id,
    symbol,
    side: trade.side,
    price: trade.averagePrice ?? 0,
    at: trade.at,
  }));
  const pick = (those: readonly ChartTrade[]) =>
    those.length === 1 && those[0] ? onOpenTrade(those[0].id) : setPicked(those);

  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Head line={line} place={hovered} />
        <Segmented label="Chart period" options={PERIODS} value={period} onChange={setPeriod} />
      </div>
      <p className="sr-only">
        <AmountsText text={describe(symbol, line)} />
      </p>
      <CandleCanvas line={line} period={period} onHover={setHovered} onPick={pick} />
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
        <Legend line={line} />
        <span>
          Chart:{" "}
          <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="underline">
            TradingView Lightweight Charts™
          </a>
        </span>
      </div>
      <MarkList
        title={`${countText(marks.length)} ${marks.length === 1 ? "trade" : "trades"} at this place`}
        marks={marks}
        onOpenTrade={onOpenTrade}
        onClose={() => setPicked([])}
      />
      <CandleFigures symbol={symbol} line={line} onOpenTrade={onOpenTrade} />
    </div>
  );
}

/** The session under the crosshair; else the newest price. */
function Head({ line, place }: { line: CandleLine; place: number | null }) {
  const { candles, now } = line;
  const at = place ?? line.all.length - 1;
  const price = line.priceAt(place) ?? line.priceAt(at);
  const isCandle = at < candles.close.length;
  const average = (label: string, value: number | null | undefined) =>
    value == null ? null : (
      <span key={label}>
        {label} <span className="amount">{moneyText(value)}</span>
      </span>
    );
  return (
    <p className="flex min-h-12 flex-wrap content-center items-baseline gap-x-3 text-xs text-muted tabular-nums sm:min-h-7">
      <span className="amount text-xl font-semibold tracking-tight text-ink">{moneyText(price)}</span>
      <span>{isCandle || now === null ? `close of ${dateText(line.all[at] ?? "")}` : easternText(now.at)}</span>
      {isCandle && place !== null && (
        <>
          {average("open", candles.open[at])}
          {average("high", candles.high[at])}
          {average("low", candles.low[at])}
          {average("50-day", candles.sma50[at])}
          {average("200-day", candles.sma200[at])}
        </>
      )}
    </p>
  );
}

function Legend({ line: { levels, trades, earnings, now } }: { line: CandleLine }) {
  const key = (border: string) => (
    <span aria-hidden className={`mr-1 inline-block w-4 border-t-2 align-middle ${border}`} />
  );
  const has = (kind: LevelLine["kind"]) => levels.some((level) => level.kind === kind);
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      <span>{key("border-accent")}50-day average</span>
      <span>{key("border-dashed border-muted")}200-day average</span>
      {has("STOP") && <span>{key("border-loss")}your stop</span>}
      {has("TARGET") && <span>{key("border-dashed border-gain")}your target</span>}
      {trades.length > 0 && <TradeKey />}
      {earnings.length > 0 && <span>E: earnings report</span>}
      {now !== null && <span>● price now</span>}
      <span>Hollow: rose. Below: volume</span>
    </span>
  );
}

function describe(symbol: string, { candles, now, trades, levels }: CandleLine): string {
  const [first, last] = [candles.close[0], candles.close.at(-1)];
  const [from, to] = [candles.sessions[0], candles.sessions.at(-1)];
  if (first === undefined || last === undefined || from === undefined || to === undefined) return "";
  const price = now === null ? "" : ` The price is ${moneyText(now.price)} as of ${easternText(now.at)}.`;
  const stop = levels.findLast(({ kind }) => kind === "STOP")?.points.at(-1);
  const filled = trades.filter(({ filledQuantity }) => filledQuantity > 0).length;
  return (
    `Daily closes of ${symbol} from ${dateText(from)}, ${moneyText(first)}, to ${dateText(to)}, ${moneyText(last)}: ` +
    `${signedPercentText(100 * (last / first - 1))} over ${countText(candles.sessions.length)} sessions.${price}` +
    (stop === undefined ? "" : ` The last stop stood at ${moneyText(stop.value)} on ${dateText(stop.session)}.`) +
    (filled === 0
      ? ""
      : ` ${countText(filled)} ${filled === 1 ? "trade is" : "trades are"} marked; they are listed under the figures.`)
  );
}
