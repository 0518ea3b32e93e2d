"use client";
import type { ChartTrade } from "@/lib/domain/candle-chart.ts";
import { useDrawnChart } from "../_hooks/use-drawn-chart.ts";
import type { CandleLine } from "./candle-chart.tsx";
import { drawCandles } from "./draw-candles.ts";

interface CandleCanvasProps {
  line: CandleLine;
  /** Another one shows its own stretch; the same one never moves what is being read. */
  period: string;
  onHover: (place: number | null) => void;
  onPick: (trades: readonly ChartTrade[]) => void;
}

/** Draws with lightweight-charts, loaded when first needed. */
export function CandleCanvas({ line, period, onHover, onPick }: CandleCanvasProps) {
  const box = useDrawnChart({
    draw: drawCandles,
    show: (drawn) => drawn.show(line, period),
    of: [line, period],
    onHover,
    onPick,
  });
  return <div ref={box} className="mt-3 h-72 w-full sm:h-96" />;
}
