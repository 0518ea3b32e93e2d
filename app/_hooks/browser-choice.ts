"use client";
import { useSyncExternalStore } from "react";

/**
 * A choice that this browser keeps under a name: for good and the same in all its tabs, or for a visit in one tab. The first
 * value is chosen at first.
 */
export function browserChoice<T extends string>(
  key: string,
  values: readonly [T, ...T[]],
  span: "for-good" | "visit" = "for-good",
) {
  const store = () => (span === "visit" ? window.sessionStorage : window.localStorage);
  const listeners = new Set<() => void>();
  /** For a browser that keeps nothing: the choice holds for this visit. */
  let unkept: T = values[0];

  function subscribe(listener: () => void) {
    listeners.add(listener);
    window.addEventListener("storage", listener);
    return () => {
      listeners.delete(listener);
      window.removeEventListener("storage", listener);
    };
  }
  function read(): T {
    try {
      const kept = store().getItem(key);
      return values.find((value) => value === kept) ?? values[0];
    } catch {
      return unkept;
    }
  }
  function choose(next: T): void {
    try {
      store().setItem(key, next);
    } catch {
      unkept = next;
    }
    for (const listener of listeners) listener();
  }
  return { read, choose, useChosen: () => useSyncExternalStore(subscribe, read, () => values[0]) };
}
