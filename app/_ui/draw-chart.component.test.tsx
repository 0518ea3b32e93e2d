import * as library from "lightweight-charts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TradeMark } from "@/lib/domain/equity-line.ts";
import { easternAxisSeconds } from "@/lib/domain/format.ts";
import { drawChart, type DrawnChart } from "./draw-chart.ts";
import type { EquityLine } from "./equity-chart.tsx";

const HEIGHT = 320;
const dayAt = (nth: number, hour = 21) => new Date(Date.UTC(2019, 11, 19 + nth, hour)).toISOString();

const EQUITIES = [100_000, 99_300, 100_400, 101_300, 100_800, 101_000];
const LINE: EquityLine = {
  // The first reading of an account, and the close of the same day after it.
  points: [{ at: dayAt(0, 15), equity: 99_900 }, ...EQUITIES.map((equity, nth) => ({ at: dayAt(nth), equity }))],
  drawdowns: [0, ...EQUITIES.map(() => -0.5)],
  benchmark: EQUITIES.map((_, nth) => ({ at: dayAt(nth), value: 100_100 + 50 * nth })),
};
const mark = (nth: number, side: TradeMark["side"], tradeId: string): TradeMark => ({
  at: dayAt(nth, 18),
  side,
  symbol: "HD",
  tradeId,
  price: 199.78,
});

let box: HTMLElement;
let chart: library.IChartApi;
let drawn: DrawnChart;
const [onHover, onPick] = [
  vi.fn<Parameters<typeof drawChart>[2]["onHover"]>(),
  vi.fn<Parameters<typeof drawChart>[2]["onPick"]>(),
];

beforeEach(() => {
  onHover.mockClear();
  onPick.mockClear();
  box = document.body.appendChild(document.createElement("div"));
  Object.assign(box.style, { position: "fixed", left: "0px", top: "0px", width: "600px", height: `${HEIGHT}px` });
  const kept = (...given: Parameters<typeof library.createChart>) => (chart = library.createChart(...given));
  drawn = drawChart({ ...library, createChart: kept as typeof library.createChart }, box, { onHover, onPick });
});

afterEach(() => {
  drawn.remove();
  box.remove();
});

const seriesOf = () => chart.panes()[0]!.getSeries() as [library.ISeriesApi<"Line">, library.ISeriesApi<"Area">];
const xOf = (at: string) => chart.timeScale().timeToCoordinate(easternAxisSeconds(at) as library.UTCTimestamp)!;
const moveTo = (x: number, y: number, type = "mousemove") => {
  const at = { clientX: x, clientY: y, bubbles: true, view: window };
  const target = document.elementFromPoint(x, y)!;
  if (type === "mousemove") target.dispatchEvent(new MouseEvent("mouseenter", { ...at, bubbles: false }));
  target.dispatchEvent(new MouseEvent(type, at));
};

test("the axis fits the lines with 8 % air, however many trades are marked", async () => {
  const many = LINE.points.flatMap((_, nth) => [mark(nth, "BUY", `b${nth}`), mark(nth, "SELL", `s${nth}`)]);
  drawn.show(LINE, many, "total");
  const [, equity] = seriesOf();
  await expect.poll(() => equity.priceToCoordinate(101_300)).toBeGreaterThan(0);
  const height = chart.panes()[0]!.getHeight();
  expect(equity.priceToCoordinate(101_300)! / height).toBeCloseTo(0.08, 1.5);
  expect(1 - equity.priceToCoordinate(99_300)! / height).toBeCloseTo(0.08, 1.5);
});

for (const [below, trade] of [
  [8, "bought"],
  [16, "sold"],
] as const)
  test(`a place's ${trade} dot stands ${below} px below the line, and opens by a press`, async () => {
    drawn.show(LINE, [mark(2, "BUY", "bought"), mark(2, "SELL", "sold")], "total");
    const [, equity] = seriesOf();
    await expect.poll(() => equity.priceToCoordinate(100_400)).toBeGreaterThan(0);
    const [x, y] = [xOf(dayAt(2)), equity.priceToCoordinate(100_400)!];
    moveTo(x, y + below);
    await expect.poll(() => box.style.cursor).toBe("pointer");
    moveTo(x, y + below, "mousedown");
    moveTo(x, y + below, "mouseup");
    await expect.poll(() => onPick.mock.calls.at(-1)?.[0].map(({ tradeId }) => tradeId)).toEqual([trade]);
    moveTo(x, y - 20);
    await expect.poll(() => box.style.cursor).toBe("");
  });

test("the crosshair shows one value, that of the account: no label of its own stands at the price axis", async () => {
  drawn.show(LINE, [], "total");
  const [, equity] = seriesOf();
  await expect.poll(() => equity.priceToCoordinate(100_400)).toBeGreaterThan(0);
  moveTo(xOf(dayAt(3)), equity.priceToCoordinate(100_250)!);
  await expect.poll(() => onHover.mock.calls.at(-1)?.[0]).toEqual({ point: 4, benchmark: 100_250 });
  expect(chart.options().crosshair.horzLine).toMatchObject({ visible: false, labelVisible: false });
});

test("SPY is a solid line of 1.5 px with its name at its end", () => {
  drawn.show(LINE, [], "total");
  const [benchmark] = seriesOf();
  expect(benchmark.options()).toMatchObject({ lineWidth: 1.5, lineStyle: library.LineStyle.Solid, title: "SPY" });
});

test("the base of a line of days is named Start, where the close of its day follows, and no other tick is", () => {
  const ticks = (points: EquityLine["points"]) => {
    drawn.show({ ...LINE, points }, [], "total");
    const format = (chart.options().timeScale as library.TimeScaleOptions).tickMarkFormatter!;
    return points.map(({ at }) =>
      format(easternAxisSeconds(at) as library.UTCTimestamp, library.TickMarkType.DayOfMonth, "en"),
    );
  };
  expect(ticks(LINE.points)).toEqual(["Start", "19 Dec", "20 Dec", "21 Dec", "22 Dec", "23 Dec", "24 Dec"]);
  expect(ticks(LINE.points.slice(1))).toEqual(["19 Dec", "20 Dec", "21 Dec", "22 Dec", "23 Dec", "24 Dec"]);
});
