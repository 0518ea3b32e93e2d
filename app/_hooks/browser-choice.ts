"use client";
import { useSyncExternalStore } from "react";

/** A choice that this browser keeps under a name, the same in all its tabs. The first value is chosen at first. */
export function browserChoice<T extends string>(key: string, values: readonly [T, ...T[]]) {
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
      const kept = window.localStorage.getItem(key);
      return values.find((value) => value === kept) ?? values[0];
    } catch {
      return unkept;
    }
  }
  function choose(next: T): void {
    try {
      window.localStorage.setItem(key, next);
    } catch {
      unkept = next;
    }
    for (const listener of listeners) listener();
  }
  return { read, choose, useChosen: () => useSyncExternalStore(subscribe, read, () => values[0]) };
}
