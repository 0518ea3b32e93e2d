"use client";
import { useEffect, useEffectEvent, useRef } from "react";
import type { TradeMark } from "@/lib/domain/equity-line.ts";
import { type DrawnChart, drawChart } from "./draw-chart.ts";
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
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnChart | null>(null);
  const show = useEffectEvent(() => drawn.current?.show(line, marks, period));
  const hover = useEffectEvent(onHover);
  const pick = useEffectEvent(onPick);

  useEffect(() => {
    let isGone = false;
    // The page's theme is a class of the root, set after this part has rendered.
    const themes = new MutationObserver(() => drawn.current?.paint());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    void import("lightweight-charts").then((library) => {
      if (isGone || box.current === null) return;
      drawn.current = drawChart(library, box.current, {
        onHover: (hovered) => hover(hovered),
        onPick: (picked) => pick(picked),
      });
      show();
    });
    return () => {
      isGone = true;
      themes.disconnect();
      drawn.current?.remove();
      drawn.current = null;
    };
  }, []);

  useEffect(() => show(), [line, marks, period]);

  return <div ref={box} className="mt-3 h-64 w-full sm:h-80" />;
}
