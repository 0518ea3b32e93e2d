"use client";
import type { IChartApi, ISeriesApi, UTCTimestamp } from "lightweight-charts";
import { useEffect, useEffectEvent, useRef } from "react";
import { easternAxisSeconds, easternAxisText, moneyText } from "@/lib/domain/format.ts";
import type { EquityPoint } from "./equity-chart.tsx";

interface Drawn {
  chart: IChartApi;
  series: ISeriesApi<"Area">;
  hasFitted: boolean;
  line: Map<number, EquityPoint>;
}

interface EquityCanvasProps {
  points: readonly EquityPoint[];
  onHover: (point: EquityPoint | null) => void;
}

/** The library wants strictly rising seconds; of two readings in one second the later counts. */
function lineOf(points: readonly EquityPoint[]) {
  return new Map(points.map((point) => [easternAxisSeconds(point.at), point] as const));
}

/** Draws with lightweight-charts, loaded when first needed. New points never reset the reader's zoom. */
export function EquityCanvas({ points, onHover }: EquityCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);

  const showPoints = useEffectEvent(() => {
    if (drawn.current === null) return;
    drawn.current.line = lineOf(points);
    const inOrder = [...drawn.current.line].sort(([a], [b]) => a - b);
    drawn.current.series.setData(inOrder.map(([time, { equity }]) => ({ time: time as UTCTimestamp, value: equity })));
    if (!drawn.current.hasFitted) drawn.current.chart.timeScale().fitContent();
    drawn.current.hasFitted = true;
  });

  const showTheme = useEffectEvent(() => {
    if (drawn.current === null || box.current === null) return;
    const style = getComputedStyle(box.current);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const { chart, series } = drawn.current;
    chart.applyOptions({
      layout: {
        background: { color: "transparent" },
        textColor: colour("--muted"),
        fontFamily: style.fontFamily,
        fontSize: 11,
      },
      grid: { vertLines: { visible: false }, horzLines: { color: colour("--line") } },
      crosshair: {
        vertLine: { color: colour("--line-strong"), labelBackgroundColor: colour("--line-strong") },
        horzLine: { color: colour("--line-strong"), labelBackgroundColor: colour("--line-strong") },
      },
    });
    series.applyOptions({
      lineColor: colour("--accent"),
      topColor: `${colour("--accent")}33`,
      bottomColor: `${colour("--accent")}00`,
    });
  });

  const hover = useEffectEvent((time: number | undefined) => {
    onHover(time === undefined ? null : (drawn.current?.line.get(time) ?? null));
  });

  useEffect(() => {
    let isGone = false;
    // The page's theme is a class of the root, set after this part has rendered.
    const themes = new MutationObserver(() => showTheme());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    void import("lightweight-charts").then(({ AreaSeries, createChart, TickMarkType }) => {
      if (isGone || box.current === null) return;
      const kinds = new Map([
        [TickMarkType.Year, "year"],
        [TickMarkType.Month, "month"],
        [TickMarkType.DayOfMonth, "day"],
      ] as const);
      const chart = createChart(box.current, {
        autoSize: true,
        localization: { priceFormatter: moneyText, timeFormatter: (time: number) => easternAxisText(time, "all") },
        rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.1, bottom: 0.08 } },
        timeScale: {
          borderVisible: false,
          timeVisible: true,
          minBarSpacing: 0.01, // ten thousand points still fit
          tickMarkFormatter: (time: number, type: number) =>
            easternAxisText(time, kinds.get(type as 0 | 1 | 2) ?? "time"),
        },
        handleScroll: { mouseWheel: false, vertTouchDrag: false },
        handleScale: { mouseWheel: false },
      });
      const series = chart.addSeries(AreaSeries, { lineWidth: 2, priceLineVisible: false });
      drawn.current = { chart, series, hasFitted: false, line: new Map() };
      chart.subscribeCrosshairMove((move) => hover(move.time as number | undefined));
      showTheme();
      showPoints();
    });
    return () => {
      isGone = true;
      themes.disconnect();
      drawn.current?.chart.remove();
      drawn.current = null;
    };
  }, []);

  useEffect(() => showPoints(), [points]);

  return <div ref={box} className="mt-3 h-56 w-full sm:h-64" />;
}
