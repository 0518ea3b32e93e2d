import type * as LightweightCharts from "lightweight-charts";
import type { IChartApi, IPriceLine, ISeriesApi, ITimeScaleApi, SeriesMarker, Time } from "lightweight-charts";
import { candleMarks, type CandleMark, type ChartTrade, type LevelLine } from "@/lib/domain/candle-chart.ts";
import { dateText, moneyText } from "@/lib/domain/format.ts";
import type { CandleLine } from "./candle-chart.tsx";
import { chartTheme, coloursOf } from "./chart-theme.ts";

type Library = typeof LightweightCharts;

/** A mark and its count need so much room; nearer ones share a place. */
const MARK_WIDTH_PX = 14;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface DrawnCandles {
  /** Shows a line; the reader's zoom and scroll stay while `period` does. */
  show: (line: CandleLine, period: string) => void;
  /** Takes the colours of the page's theme. */
  paint: () => void;
  remove: () => void;
}

interface Listeners {
  /** The session under the crosshair, by its place. */
  onHover: (place: number | null) => void;
  onPick: (trades: readonly ChartTrade[]) => void;
}

const tickText =
  ({ TickMarkType }: Library) =>
  (time: Time, type: number) => {
    const [year = "", month = "1", day] = String(time).split("-");
    if (type === TickMarkType.Year) return year;
    const name = MONTHS[Number(month) - 1] ?? "";
    return type === TickMarkType.Month ? name : `${Number(day)} ${name}`;
  };

const openChart = (library: Library, box: HTMLElement): IChartApi =>
  library.createChart(box, {
    autoSize: true,
    // The logo is written as markup, which the page's policy forbids: CandleChart names the library instead.
    layout: { attributionLogo: false, panes: { enableResize: false } },
    localization: { timeFormatter: (time: Time) => dateText(String(time)) },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.08 } },
    timeScale: {
      borderVisible: false,
      // A phone that is turned, or a window made narrower, shows the same stretch.
      lockVisibleTimeRangeOnResize: true,
      minBarSpacing: 0.5,
      fixLeftEdge: true,
      fixRightEdge: true,
      tickMarkFormatter: tickText(library),
    },
    // The label of the axis is that of the session under the crosshair, as the head of the chart has it.
    crosshair: { mode: library.CrosshairMode.Normal, horzLine: { visible: false, labelVisible: false } },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });

function createParts(library: Library, box: HTMLElement) {
  const { CandlestickSeries, HistogramSeries, LineSeries, LineStyle, LineType, createSeriesMarkers } = library;
  const chart = openChart(library, box);
  const inDollars = { priceFormat: { type: "custom", minMove: 0.01, formatter: moneyText } } as const;
  const bare = { priceLineVisible: false, lastValueVisible: false } as const;
  const quiet = { ...bare, ...inDollars, crosshairMarkerVisible: false } as const;
  const candles = chart.addSeries(CandlestickSeries, { ...bare, ...inDollars });
  const sma50 = chart.addSeries(LineSeries, { ...quiet, lineWidth: 2 });
  const sma200 = chart.addSeries(LineSeries, { ...quiet, lineWidth: 1, lineStyle: LineStyle.LargeDashed });
  // The running session has no candle yet: its price is a dot.
  const dot = { lineVisible: false, pointMarkersVisible: true, pointMarkersRadius: 3 } as const;
  const now = chart.addSeries(LineSeries, { ...quiet, ...dot });
  const volume = chart.addSeries(HistogramSeries, { ...bare, priceFormat: { type: "volume" } }, 1);
  volume.priceScale().applyOptions({ borderVisible: false, scaleMargins: { top: 0.1, bottom: 0 } });
  const [above, below] = chart.panes();
  above?.setStretchFactor(4);
  below?.setStretchFactor(1);
  const levelOf = (kind: LevelLine["kind"]) =>
    chart.addSeries(LineSeries, {
      ...quiet,
      lineWidth: 2,
      lineType: LineType.WithSteps,
      lineStyle: kind === "STOP" ? LineStyle.Solid : LineStyle.Dashed,
    });
  const [marks, nowMarks] = [createSeriesMarkers(candles, []), createSeriesMarkers(now, [])];
  return { chart, candles, sma50, sma200, now, volume, marks, nowMarks, levelOf };
}

type Parts = ReturnType<typeof createParts>;
interface DrawnLevel {
  kind: LevelLine["kind"];
  series: ISeriesApi<"Line">;
}

function paintParts(
  { chart, candles, sma50, sma200, now, volume }: Parts,
  levels: readonly DrawnLevel[],
  box: HTMLElement,
) {
  const of = coloursOf(box);
  const [gain, loss, muted] = [of("--gain"), of("--loss"), of("--muted")];
  chart.applyOptions({
    ...chartTheme(box),
    crosshair: { vertLine: { color: of("--line-strong"), labelBackgroundColor: muted } },
  });
  // Rising days are hollow: the body tells them apart without its colour.
  candles.applyOptions({
    upColor: of("--surface"),
    borderUpColor: gain,
    wickUpColor: gain,
    downColor: loss,
    borderDownColor: loss,
    wickDownColor: loss,
  });
  sma50.applyOptions({ color: of("--accent") });
  sma200.applyOptions({ color: muted });
  now.applyOptions({ color: of("--ink") });
  volume.applyOptions({ color: `${of("--line-strong")}99` });
  for (const { kind, series } of levels) series.applyOptions({ color: kind === "STOP" ? loss : gain });
}

const rising = (values: readonly (number | null)[], sessions: readonly string[]) =>
  sessions.flatMap((time, i) => (values[i] == null ? [] : [{ time, value: values[i] }]));

function feed(parts: Parts, { candles, now }: CandleLine): void {
  const { sessions, open, high, low, close, volume } = candles;
  parts.candles.setData(
    sessions.map((time, i) => ({ time, open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]! })),
  );
  parts.sma50.setData(rising(candles.sma50, sessions));
  parts.sma200.setData(rising(candles.sma200, sessions));
  parts.volume.setData(sessions.map((time, i) => ({ time, value: volume[i]! })));
  parts.now.setData(now === null ? [] : [{ time: now.session, value: now.price }]);
}

function markersOf(
  marks: readonly CandleMark[],
  { all, earnings }: CandleLine,
  box: HTMLElement,
): SeriesMarker<Time>[] {
  const of = coloursOf(box);
  const trades = marks.map(({ place, side, trades: those }, i) => ({
    id: `${i}`,
    time: all[place] as Time,
    position: "belowBar" as const,
    shape: side === "BUY" ? ("arrowUp" as const) : ("arrowDown" as const),
    color: side === "BUY" ? of("--gain") : of("--loss"),
    size: 0.8,
    ...(those.length > 1 ? { text: String(those.length) } : {}),
  }));
  const reports = earnings.map((time) => ({
    time: time as Time,
    position: "aboveBar" as const,
    shape: "square" as const,
    color: of("--warn"),
    size: 0.4,
    text: "E",
  }));
  return [...trades, ...reports].sort((a, b) => (String(a.time) < String(b.time) ? -1 : 1));
}

/** How many sessions share a place at this zoom, in powers of two so that markers do not move while zooming. */
function stretchOf(scale: ITimeScaleApi<Time>): number {
  const range = scale.getVisibleLogicalRange();
  const places = Math.max(1, Math.floor(scale.width() / MARK_WIDTH_PX));
  const wanted = range === null ? 1 : (range.to - range.from) / places;
  return 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(wanted, 1))));
}

/** The price of one session on the axis: the one that the head of the chart tells. */
function priceLabel({ LineStyle }: Library, candles: ISeriesApi<"Candlestick">, box: HTMLElement) {
  let label: IPriceLine | null = null;
  return (price: number | undefined, hasLine: boolean) => {
    if (label !== null) candles.removePriceLine(label);
    const background = coloursOf(box)("--muted");
    label =
      price === undefined
        ? null
        : candles.createPriceLine({
            price,
            lineVisible: hasLine,
            lineWidth: 1,
            lineStyle: LineStyle.Dotted,
            color: background,
            axisLabelVisible: true,
            axisLabelColor: background,
            axisLabelTextColor: coloursOf(box)("--surface"),
            title: "",
          });
  };
}

/** The levels as lines of their own, in the place of those before. */
function redrawLevels(
  { chart, levelOf }: Parts,
  before: readonly DrawnLevel[],
  lines: CandleLine["levels"],
): DrawnLevel[] {
  for (const { series } of before) chart.removeSeries(series);
  return lines.map(({ kind, points }) => {
    const series = levelOf(kind);
    series.setData(points.map(({ session, value }) => ({ time: session, value })));
    return { kind, series };
  });
}

/** Draws candles with averages, volume, the marks of trades and reports, and the levels that rested, into a box. */
export function drawCandles(library: Library, box: HTMLElement, { onHover, onPick }: Listeners): DrawnCandles {
  const parts = createParts(library, box);
  const { chart } = parts;
  const scale = chart.timeScale();
  const labelAt = priceLabel(library, parts.candles, box);
  let levels: DrawnLevel[] = [];
  let shown: { line: CandleLine; period: string } | null = null;
  let marks: CandleMark[] = [];
  let placeOf = new Map<string, number>();
  let stretch = 0;
  let hovered: number | null = null;
  const label = () => labelAt(shown?.line.priceAt(hovered), hovered !== null);

  function mark(): void {
    if (shown === null) return;
    const { line } = shown;
    stretch = stretchOf(scale);
    marks = candleMarks(line.trades, line.all, stretch);
    const all = markersOf(marks, line, box);
    const isNow = ({ time }: SeriesMarker<Time>) => time === line.now?.session;
    parts.marks.setMarkers(all.filter((one) => !isNow(one)));
    parts.nowMarks.setMarkers(all.filter(isNow));
  }

  function paint(): void {
    paintParts(parts, levels, box);
    mark();
    label();
  }

  function show(line: CandleLine, period: string): void {
    const range = scale.getVisibleLogicalRange();
    const kept = shown?.period === period ? range : null;
    feed(parts, line);
    levels = redrawLevels(parts, levels, line.levels);
    placeOf = new Map(line.all.map((session, place) => [session, place]));
    const count = line.all.length;
    scale.setVisibleLogicalRange(kept ?? { from: Math.max(0, count - line.visible) - 0.5, to: count - 0.5 });
    shown = { line, period };
    paint();
  }

  chart.subscribeCrosshairMove(({ time, hoveredObjectId }) => {
    box.style.cursor = typeof hoveredObjectId === "string" && hoveredObjectId in marks ? "pointer" : "";
    hovered = time === undefined ? null : (placeOf.get(String(time)) ?? null);
    label();
    onHover(hovered);
  });
  chart.subscribeClick(({ hoveredObjectId }) => {
    const found = typeof hoveredObjectId === "string" ? marks[Number(hoveredObjectId)] : undefined;
    if (found) onPick(found.trades);
  });
  scale.subscribeVisibleLogicalRangeChange(() => {
    if (shown !== null && stretchOf(scale) !== stretch) mark();
  });
  return { show, paint, remove: () => chart.remove() };
}
