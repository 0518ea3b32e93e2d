"use client";
import { useSearchParams } from "next/navigation";

const NAMES = ["symbol", "side", "status", "startDate", "endDate"] as const;
type FilterName = (typeof NAMES)[number];
export type Filters = Record<FilterName, string>;

/** The filters live in the address, so that a view can be linked and survives a reload. */
export function useTradeFilters() {
  const params = useSearchParams();
  const filters = Object.fromEntries(NAMES.map((name) => [name, params.get(name) ?? ""])) as Filters;

  function write(next: Filters) {
    const query = new URLSearchParams(NAMES.filter((name) => next[name] !== "").map((name) => [name, next[name]]));
    window.history.replaceState(null, "", query.size === 0 ? window.location.pathname : `?${query}`);
  }

  return {
    filters,
    hasFilter: NAMES.some((name) => filters[name] !== ""),
    change: (name: FilterName, value: string) => write({ ...filters, [name]: value }),
    clear: () => write({ symbol: "", side: "", status: "", startDate: "", endDate: "" }),
  };
}
