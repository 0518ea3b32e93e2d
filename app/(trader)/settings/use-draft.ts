"use client";
import { useEffect, useState } from "react";

const differ = <T extends Record<string, unknown>>(one: T, other: T) =>
  Object.keys(one).some((name) => one[name] !== other[name]);

/**
 * What is entered on a tab, and whether it differs from what is saved. A save that was answered says what it had sent:
 * what was typed meanwhile stays unsaved. `saved` may change while the tab is open, by another device: fields that were not
 * changed here follow it, so that the next save does not bring back what they showed before.
 */
export function useDraft<T extends Record<string, unknown>>(saved: T, onUnsaved: (isUnsaved: boolean) => void) {
  const [read, setRead] = useState(saved);
  const [kept, setKept] = useState(saved);
  const [entered, setEntered] = useState(saved);
  if (differ(read, saved)) {
    setRead(saved);
    setKept(saved);
    const changed = Object.entries(entered).filter(([name, value]) => kept[name] !== value);
    setEntered({ ...saved, ...Object.fromEntries(changed) });
  }
  const isUnsaved = differ(kept, entered);
  useEffect(() => {
    onUnsaved(isUnsaved);
    return () => onUnsaved(false);
  }, [isUnsaved, onUnsaved]);
  return {
    entered,
    kept,
    enter: (change: Partial<T>) => setEntered((before) => ({ ...before, ...change })),
    keep: setKept,
  };
}
