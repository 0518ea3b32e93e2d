"use client";
import { useSyncExternalStore } from "react";

const KEY = "amounts_hidden";
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

function read(): boolean {
  try {
    return window.localStorage.getItem(KEY) === "true";
  } catch {
    return false;
  }
}

/** Whether amounts are covered, against a look over the shoulder: a choice of this browser. */
export function useAmounts() {
  const areHidden = useSyncExternalStore(subscribe, read, () => false);
  return { areHidden, toggle: toggleAmounts };
}

export function toggleAmounts(): void {
  try {
    window.localStorage.setItem(KEY, String(!read()));
  } catch {
    // A browser that keeps nothing goes on showing them.
  }
  for (const listener of listeners) listener();
}
