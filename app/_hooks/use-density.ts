"use client";
import { useSyncExternalStore } from "react";

export type Density = "comfortable" | "dense";

const KEY = "table_density";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function read(): Density {
  try {
    return window.localStorage.getItem(KEY) === "dense" ? "dense" : "comfortable";
  } catch {
    return "comfortable";
  }
}

/** How close the rows of all tables stand: a choice of this browser. */
export function useDensity() {
  const density = useSyncExternalStore(subscribe, read, () => "comfortable" as const);
  function choose(next: Density) {
    try {
      window.localStorage.setItem(KEY, next);
    } catch {
      // A browser that keeps nothing shows the comfortable rows.
    }
    for (const listener of listeners) listener();
  }
  return { density, choose };
}
