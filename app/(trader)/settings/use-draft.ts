"use client";
import { useEffect, useState } from "react";

/**
 * What is entered on a tab, and whether it differs from what is saved. A save that was answered says what it had sent:
 * what was typed meanwhile stays unsaved.
 */
export function useDraft<T extends Record<string, unknown>>(initial: T, onUnsaved: (isUnsaved: boolean) => void) {
  const [kept, setKept] = useState(initial);
  const [entered, setEntered] = useState(initial);
  const isUnsaved = Object.keys(kept).some((name) => kept[name] !== entered[name]);
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
