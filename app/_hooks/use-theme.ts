"use client";
import { useSyncExternalStore } from "react";

type Theme = "light" | "dark";

const root = () => document.documentElement;
const shown = (): Theme => (root().classList.contains("dark") ? "dark" : "light");

function subscribe(listener: () => void): () => void {
  const watch = new MutationObserver(listener);
  watch.observe(root(), { attributeFilter: ["class"] });
  return () => watch.disconnect();
}

/** What is shown. For parts that cannot leave it to CSS. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, shown, () => "light");
}

/** Shows the other one, and keeps that for the next visit. */
export function switchTheme(): void {
  const next = shown() === "dark" ? "light" : "dark";
  root().classList.toggle("dark", next === "dark");
  try {
    window.localStorage.setItem("theme", next);
  } catch {
    // A browser that keeps nothing shows it for this visit.
  }
}
