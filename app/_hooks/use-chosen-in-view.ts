"use client";
import { useEffect, useRef, type RefObject } from "react";

/** Scrolls a row that is wider than the phone to its chosen item; only the row moves, never the page. */
export function useChosenInView<E extends HTMLElement>(selector: string, chosen: string): RefObject<E | null> {
  const list = useRef<E>(null);
  useEffect(() => {
    const row = list.current;
    const item = row?.querySelector<HTMLElement>(selector);
    if (!row || !item) return;
    const left = item.offsetLeft - row.offsetLeft;
    if (left < row.scrollLeft || left + item.offsetWidth > row.scrollLeft + row.clientWidth)
      row.scrollLeft = left - (row.clientWidth - item.offsetWidth) / 2;
  }, [selector, chosen]);
  return list;
}
