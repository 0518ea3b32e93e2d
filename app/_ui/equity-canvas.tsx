"use client";
import type { TradeMark } from "@/lib/domain/equity-line.ts";
import { useDrawnChart } from "../_hooks/use-drawn-chart.ts";
import { drawChart } from "./draw-chart.ts";
import type { EquityLine } from "./equity-chart.tsx";

/** What the crosshair stands on. */
export interface Hovered {
  /** Index into the line's points. */
  point: number;
  benchmark: number | null;
}

interface EquityCanvasProps {
  line: EquityLine;
  /** Another one shows the whole of its line; the same one never moves what is being read. */
  period: string;
  marks: readonly TradeMark[];
  onHover: (hovered: Hovered | null) => void;
  onPick: (marks: readonly TradeMark[]) => void;
}

/** Draws with lightweight-charts, loaded when first needed. New points never reset the reader's zoom. */
export function EquityCanvas({ line, period, marks, onHover, onPick }: EquityCanvasProps) {
  const box = useDrawnChart({
    draw: drawChart,
    show: (drawn) => drawn.show(line, marks, period),
    of: [line, marks, period],
    onHover,
    onPick,
  });
  return <div ref={box} className="mt-3 h-64 w-full sm:h-80" />;
}
