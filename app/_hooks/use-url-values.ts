"use client";
import { useSearchParams } from "next/navigation";

/**
 * Filters, tabs and sorting live in the address, so that a view can be linked and survives a reload. A value that is
 * the default is left out; other names in the address stay.
 */
export function useUrlValues<T extends Record<string, string>>(defaults: T) {
  const params = useSearchParams();
  const names = Object.keys(defaults) as (keyof T & string)[];
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? defaults[name]])) as T;

  function write(next: Partial<T>) {
    const query = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(next)) {
      if (value === undefined || value === defaults[name]) query.delete(name);
      else query.set(name, value);
    }
    window.history.replaceState(null, "", query.size === 0 ? window.location.pathname : `?${query}`);
  }

  return {
    values,
    isChanged: names.some((name) => values[name] !== defaults[name]),
    change: write,
    clear: () => write(defaults),
  };
}
