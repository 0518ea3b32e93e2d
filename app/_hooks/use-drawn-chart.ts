"use client";
import type * as Charts from "lightweight-charts";
import { useEffect, useEffectEvent, useRef, type RefObject } from "react";

type Library = typeof Charts;

/** What is drawn into a box, outside React. */
interface Drawn {
  /** Takes the colours of the theme that is shown. */
  paint: () => void;
  remove: () => void;
}

interface ChartEvents<H, P> {
  onHover: (hovered: H) => void;
  onPick: (picked: P) => void;
}

interface DrawnChartOptions<D extends Drawn, H, P> extends ChartEvents<H, P> {
  draw: (library: Library, box: HTMLDivElement, events: ChartEvents<H, P>) => D;
  show: (drawn: D) => void;
  /** What is shown: when one of these changes it is shown anew. */
  of: readonly unknown[];
}

/** Loading, drawing and filling a chart are one task each: what a person pressed meanwhile is answered between them. */
const pressesAnswered = () => new Promise((resolve) => setTimeout(resolve, 0));

/** How far below the view a chart is drawn already. */
const NEAR = "0px 0px 50% 0px";

/** Calls once, when the box is in view or near it. The answer ends the waiting. */
function whenNear(box: Element, call: () => void): () => void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      call();
    },
    { rootMargin: NEAR },
  );
  watch.observe(box);
  return () => watch.disconnect();
}

/**
 * A chart of lightweight-charts in a box: loaded when the box comes near the view, drawn once, and painted again when the theme
 * changes.
 */
export function useDrawnChart<D extends Drawn, H, P>({
  draw,
  show,
  of,
  onHover,
  onPick,
}: DrawnChartOptions<D, H, P>): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<D | null>(null);
  const begin = useEffectEvent(draw);
  const refresh = useEffectEvent(() => drawn.current && show(drawn.current));
  const hover = useEffectEvent(onHover);
  const pick = useEffectEvent(onPick);

  useEffect(() => {
    let isGone = false;
    // The page's theme is a class of the root, set after this part has rendered.
    const themes = new MutationObserver(() => drawn.current?.paint());
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });
    const load = async () => {
      const library = await import("lightweight-charts");
      await pressesAnswered();
      if (isGone || box.current === null) return;
      drawn.current = begin(library, box.current, {
        onHover: (hovered) => hover(hovered),
        onPick: (picked) => pick(picked),
      });
      await pressesAnswered();
      refresh();
    };
    const stopWaiting = box.current === null ? () => {} : whenNear(box.current, () => void load());
    return () => {
      isGone = true;
      stopWaiting();
      themes.disconnect();
      drawn.current?.remove();
      drawn.current = null;
    };
  }, []);

  // oxlint-disable-next-line react/exhaustive-deps -- the caller names what is shown
  useEffect(() => void refresh(), of);

  return box;
}
