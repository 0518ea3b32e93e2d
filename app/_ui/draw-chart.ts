import type * as LightweightCharts from "lightweight-charts";
import type {
  AutoscaleInfo,
  IChartApi,
  ISeriesApi,
  ITimeScaleApi,
  LineWidth,
  SeriesType,
  Time,
  UTCTimestamp,
} from "lightweight-charts";
import { clustersOf, type LinePoint, type TradeMark } from "@/lib/domain/equity-line.ts";
import { easternAxisSeconds, easternAxisText, moneyText, signedPercentText } from "@/lib/domain/format.ts";
import type { Hovered } from "./equity-canvas.tsx";
import type { EquityLine } from "./equity-chart.tsx";
import { chartTheme, coloursOf } from "./chart-theme.ts";
import { TradeDots, type TradeDot } from "./trade-dots.ts";

type Library = typeof LightweightCharts;

/** Above and below the lines, as a share of the height. */
const AIR = 0.08;
/** A mark and its count need so much room; nearer ones share a place. */
const MARK_WIDTH_PX = 18;
const DAY_SECONDS = 86_400;

interface Datum {
  time: UTCTimestamp;
  value: number;
}

export interface DrawnChart {
  /** Shows a line; the reader's zoom and scroll stay while `period` does. */
  show: (line: EquityLine, marks: readonly TradeMark[], period: string) => void;
  /** Takes the colours of the page's theme. */
  paint: () => void;
  remove: () => void;
}

interface Listeners {
  onHover: (hovered: Hovered | null) => void;
  onPick: (marks: readonly TradeMark[]) => void;
}

/** The library wants strictly rising seconds: of two readings in one second the later counts. */
function dataOf<Row extends { at: string }>(
  rows: readonly Row[],
  valueOf: (row: Row, index: number) => number,
): Datum[] {
  const data: Datum[] = [];
  for (const [index, row] of rows.entries()) {
    const time = easternAxisSeconds(row.at) as UTCTimestamp;
    const last = data.at(-1);
    if (last && time < last.time) continue;
    if (last?.time === time) data.pop();
    data.push({ time, value: valueOf(row, index) });
  }
  return data;
}

/** Shows data: what only grew at its end is added there, anything else replaces the series. */
function feed(series: ISeriesApi<SeriesType>, before: readonly Datum[], data: Datum[]): void {
  const kept = before.length - 1;
  const hasGrown =
    kept >= 0 &&
    data.length >= before.length &&
    before.every(({ time, value }, i) => data[i]?.time === time && (i === kept || data[i].value === value));
  if (!hasGrown) return series.setData(data);
  for (const datum of data.slice(kept)) series.update(datum);
}

/** What the ticks of the line in view say. */
interface Ticks {
  /** One point a day: a mark inside a day says the day, because the time of that point says nothing. */
  isDaily: boolean;
  /** The time of the base, where it is of the day whose close follows it. */
  base: number | null;
}

const dayOf = ({ time }: Datum) => Math.floor(time / DAY_SECONDS);

/** The first point of a line of days, where the close of the same day follows it: two ticks would say the same day. */
function baseOf([first, second]: readonly Datum[]): number | null {
  return first && second && dayOf(first) === dayOf(second) ? first.time : null;
}

function createParts({ AreaSeries, LineSeries, createChart, TickMarkType }: Library, box: HTMLElement, ticks: Ticks) {
  const kinds = new Map<number, "year" | "month" | "day">([
    [TickMarkType.Year, "year"],
    [TickMarkType.Month, "month"],
    [TickMarkType.DayOfMonth, "day"],
  ]);
  const chart: IChartApi = createChart(box, {
    autoSize: true,
    // The logo is written as markup, which the page's policy forbids: EquityChart names the library instead.
    layout: { attributionLogo: false, panes: { enableResize: false } },
    localization: { timeFormatter: (time: number) => easternAxisText(time, "all") },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: AIR, bottom: AIR } },
    timeScale: {
      borderVisible: false,
      // A phone that is turned, or a window made narrower, shows the same stretch.
      lockVisibleTimeRangeOnResize: true,
      timeVisible: true,
      minBarSpacing: 0.01, // ten thousand points still fit
      shiftVisibleRangeOnNewBar: false,
      // There is nothing beyond the line, and the labels at its ends stay whole.
      fixLeftEdge: true,
      fixRightEdge: true,
      tickMarkFormatter: (time: number, type: number) =>
        time === ticks.base ? "Start" : easternAxisText(time, kinds.get(type) ?? (ticks.isDaily ? "day" : "time")),
    },
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false },
  });
  // The last value stands above the chart; a label of it would cover one of the axis.
  const quiet = { priceLineVisible: false, lastValueVisible: false } as const;
  const custom = (formatter: (value: number) => string) => ({ type: "custom", minMove: 0.01, formatter }) as const;
  const benchmark = chart.addSeries(LineSeries, {
    ...quiet,
    // Drawn as it is given; the library's type knows whole widths alone.
    lineWidth: 1.5 as number as LineWidth,
    title: "SPY",
    crosshairMarkerVisible: false,
    priceFormat: custom(moneyText),
  });
  const equity = chart.addSeries(AreaSeries, { ...quiet, lineWidth: 2, priceFormat: custom(moneyText) });
  const drawdown = chart.addSeries(
    AreaSeries,
    {
      ...quiet,
      lineWidth: 1,
      invertFilledArea: true,
      priceFormat: custom(signedPercentText),
      // Zero is the top, also while nothing has fallen: a flat line would stand in the middle of a band.
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => ({
        priceRange: { minValue: Math.min(original()?.priceRange?.minValue ?? 0, -0.1), maxValue: 0 },
      }),
    },
    1,
  );
  drawdown.priceScale().applyOptions({ borderVisible: false, scaleMargins: { top: 0, bottom: 0.05 } });
  const [above, below] = chart.panes();
  above?.setStretchFactor(3);
  below?.setStretchFactor(1);
  const dots = new TradeDots(equity, chart.timeScale());
  equity.attachPrimitive(dots);
  return { chart, equity, benchmark, drawdown, dots };
}

function paintParts({ chart, equity, benchmark, drawdown }: ReturnType<typeof createParts>, box: HTMLElement): void {
  const [strong, accent, muted, loss] = ["--line-strong", "--accent", "--muted", "--loss"].map(coloursOf(box)) as [
    string,
    string,
    string,
    string,
  ];
  chart.applyOptions({
    ...chartTheme(box),
    crosshair: {
      vertLine: { color: strong, labelBackgroundColor: muted },
      // It would stand at the nearest series, which may be SPY: the value is in the header, that of the account alone.
      horzLine: { visible: false, labelVisible: false },
    },
  });
  equity.applyOptions({ lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}00` });
  drawdown.applyOptions({ lineColor: loss, topColor: `${loss}00`, bottomColor: `${loss}33` });
  benchmark.applyOptions({ color: muted });
}

function dotsOf(clusters: ReturnType<typeof clustersOf>, points: readonly LinePoint[], box: HTMLElement): TradeDot[] {
  const colour = coloursOf(box);
  const [gain, loss] = [colour("--gain"), colour("--loss")];
  return clusters.map(({ point, side, marks: those }, i) => ({
    id: `${i}`,
    time: easternAxisSeconds(points[point]?.at ?? 0) as UTCTimestamp,
    value: points[point]?.equity ?? 0,
    side,
    color: side === "BUY" ? gain : loss,
    count: those.length,
  }));
}

/** How many points share a place at this zoom, in powers of two so that markers do not move while zooming. */
function stretchOf(scale: ITimeScaleApi<Time>): number {
  const range = scale.getVisibleLogicalRange();
  const places = Math.max(1, Math.floor(scale.width() / MARK_WIDTH_PX));
  const wanted = range === null ? 1 : (range.to - range.from) / places;
  return 2 ** Math.max(0, Math.ceil(Math.log2(Math.max(wanted, 1))));
}

/** Draws an equity line with its benchmark, its drawdown and the marks of trades into a box. */
export function drawChart(library: Library, box: HTMLElement, { onHover, onPick }: Listeners): DrawnChart {
  const ticks: Ticks = { isDaily: false, base: null };
  const parts = createParts(library, box, ticks);
  const { chart, equity, benchmark, drawdown, dots } = parts;
  const scale = chart.timeScale();
  let shown: { equity: Datum[]; drawdown: Datum[]; benchmark: Datum[]; period: string } | null = null;
  let points: readonly LinePoint[] = [];
  let trades: readonly TradeMark[] = [];
  let pointAt = new Map<number, number>();
  let clusters = new Map<string, readonly TradeMark[]>();
  let stretch = 0;

  function mark(): void {
    const found = clustersOf(points, trades, stretch);
    clusters = new Map(found.map((cluster, i) => [`${i}`, cluster.marks]));
    dots.show(dotsOf(found, points, box), getComputedStyle(box).fontFamily);
  }

  function show(line: EquityLine, given: readonly TradeMark[], period: string): void {
    const next = {
      equity: dataOf(line.points, (point) => point.equity),
      drawdown: dataOf(line.points, (_, i) => line.drawdowns[i] ?? 0),
      benchmark: dataOf(line.benchmark, ({ value }) => value),
      period,
    };
    const days = new Set(next.equity.map((datum) => dayOf(datum)));
    ticks.isDaily = next.equity.length > 2 && days.size >= next.equity.length - 1;
    ticks.base = ticks.isDaily ? baseOf(next.equity) : null;
    const range = scale.getVisibleLogicalRange();
    const isWhole =
      shown === null ||
      shown.period !== period ||
      range === null ||
      (range.from <= 0.5 && range.to >= shown.equity.length - 1.5);
    feed(equity, shown?.equity ?? [], next.equity);
    feed(drawdown, shown?.drawdown ?? [], next.drawdown);
    feed(benchmark, shown?.benchmark ?? [], next.benchmark);
    if (isWhole) scale.fitContent();
    else scale.setVisibleLogicalRange(range);
    shown = next;
    points = line.points;
    trades = given;
    pointAt = new Map(points.map((point, i) => [easternAxisSeconds(point.at), i]));
    stretch = stretchOf(scale);
    mark();
  }

  function paint(): void {
    paintParts(parts, box);
    mark();
  }

  chart.subscribeCrosshairMove(({ time, seriesData, hoveredObjectId }) => {
    box.style.cursor = typeof hoveredObjectId === "string" && clusters.has(hoveredObjectId) ? "pointer" : "";
    const point = time === undefined ? undefined : pointAt.get(time as number);
    if (point === undefined) return onHover(null);
    const datum = seriesData.get(benchmark);
    onHover({ point, benchmark: datum && "value" in datum ? datum.value : null });
  });
  chart.subscribeClick(({ hoveredObjectId }) => {
    const those = typeof hoveredObjectId === "string" ? clusters.get(hoveredObjectId) : undefined;
    if (those) onPick(those);
  });
  scale.subscribeVisibleLogicalRangeChange(() => {
    if (shown === null || stretchOf(scale) === stretch) return;
    stretch = stretchOf(scale);
    mark();
  });
  paint();
  return { show, paint, remove: () => chart.remove() };
}
