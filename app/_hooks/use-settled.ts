"use client";
import { useEffect, useState } from "react";

const MOMENT_MS = 200;

/** A value once it has not changed for a moment: what is typed is asked for when the typing rests. */
export function useSettled<T extends string | null>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
