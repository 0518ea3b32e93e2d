"use client";
import { useEffect, useEffectEvent, useRef } from "react";
import type { ChartTrade } from "@/lib/domain/candle-chart.ts";
import type { CandleLine } from "./candle-chart.tsx";
import { drawCandles, type DrawnCandles } from "./draw-candles.ts";

interface CandleCanvasProps {
  line: CandleLine;
  /** Another one shows its own stretch; the same one never moves what is being read. */
  period: string;
  onHover: (place: number | null) => void;
  onPick: (trades: readonly ChartTrade[]) => void;
}

/** Draws with lightweight-charts, loaded when first needed. */
export function CandleCanvas({ line, period, onHover, onPick }: CandleCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<DrawnCandles | null>(null);
  const show = useEffectEvent(() => drawn.current?.show(line, period));
  const hover = useEffectEvent(onHover);
  const pick = useEffectEvent(onPick);

  useEffect(() => {
    let isGone = false;
    // The page's theme is a class of the root, set after this part has rendered.
    const themes = new MutationObserver(() => drawn.current?.paint());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    void import("lightweight-charts").then((library) => {
      if (isGone || box.current === null) return;
      drawn.current = drawCandles(library, box.current, {
        onHover: (place) => hover(place),
        onPick: (trades) => pick(trades),
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

  useEffect(() => show(), [line, period]);

  return <div ref={box} className="mt-3 h-72 w-full sm:h-96" />;
}
