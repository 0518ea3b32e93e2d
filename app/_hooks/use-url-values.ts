"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";

/**
 * What was written and the router does not show yet, after the query that it shows. The router follows in a transition:
 * too late for a field that is being typed into, which would lose letters and its caret.
 */
let ahead: { path: string; queries: readonly string[] } = { path: "", queries: [] };
const listeners = new Set<() => void>();

function setAhead(path: string, queries: readonly string[]) {
  ahead = { path, queries };
  for (const listener of listeners) listener();
}

/** Who goes back or forward leaves what was written. */
const forget = () => setAhead("", []);

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener("popstate", forget);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("popstate", forget);
  };
}

/** The router came to a query: of those that were written it shows the last, or an earlier one; otherwise the user navigated elsewhere. */
function follow(path: string, query: string) {
  if (ahead.queries.length === 0) return;
  const place = ahead.path === path ? ahead.queries.lastIndexOf(query) : -1;
  const isThere = place < 0 || place === ahead.queries.length - 1;
  setAhead(path, isThere ? [] : ahead.queries.slice(place));
}

/** Set on the places in the history that opening something added. */
const isStep = () => (window.history.state as { isStep?: boolean } | null)?.isStep === true;

let isGoingBack = false;

/** One place back, however often it is asked for before the browser is there. */
function goBack() {
  if (isGoingBack) return;
  isGoingBack = true;
  window.addEventListener("popstate", () => (isGoingBack = false), { once: true });
  window.history.back();
}

/** An address may carry anything: of a list of options, only these count. */
export const oneOf =
  (options: readonly { value: string }[]) =>
  (text: string): boolean =>
    options.some(({ value }) => value === text);

/**
 * Filters, tabs and sorting live in the address, so that a view can be linked and survives a reload. A value that is
 * the default is left out; other names in the address stay. The default stands in for a text that does not count.
 */
export function useUrlValues<T extends Record<string, string>>(
  defaults: T,
  counts: Partial<Record<keyof T, (text: string) => boolean>> = {},
) {
  const path = usePathname();
  const shown = useSearchParams().toString();
  const written = useSyncExternalStore(
    subscribe,
    () => (ahead.path === path ? ahead.queries.at(-1) : undefined),
    () => undefined,
  );
  useEffect(() => follow(path, shown), [path, shown]);
  const params = new URLSearchParams(written ?? shown);
  const names = Object.keys(defaults) as (keyof T & string)[];
  const valueOf = (name: keyof T & string) => {
    const text = params.get(name);
    return text === null || counts[name]?.(text) === false ? defaults[name] : text;
  };
  const values = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as T;

  function write(next: Partial<T>, isNewStep = false) {
    const query = new URLSearchParams(ahead.path === path ? (ahead.queries.at(-1) ?? shown) : shown);
    for (const [name, value] of Object.entries(next)) {
      if (value === undefined || value === defaults[name]) query.delete(name);
      else query.set(name, value);
    }
    const before = ahead.path === path && ahead.queries.length > 0 ? ahead.queries : [shown];
    if (query.toString() === before.at(-1)) return;
    setAhead(path, [...before, query.toString()]);
    const address = query.size === 0 ? path : `?${query}`;
    if (isNewStep) window.history.pushState({ isStep: true }, "", address);
    else window.history.replaceState({ isStep: isStep() }, "", address);
  }

  return {
    values,
    isChanged: names.some((name) => values[name] !== defaults[name]),
    change: (next: Partial<T>) => write(next),
    clear: () => write(defaults),
    /** Opens what covers the page: the browser's way back closes it. */
    open: (next: Partial<T>) => write(next, true),
    /** Closes it: by going back where it was opened here, by changing the address where a link led to it. */
    close: (next: Partial<T>) => (isStep() ? goBack() : write(next)),
  };
}
