import type { FaultKind } from "./faults/kinds.ts";

/** What became of a request that wants to change something. Wall times are epoch milliseconds. */
export interface Arrival {
  seq: number;
  wall_ms: number;
  /** Market time at the arrival. */
  market: string;
  method: string;
  path: string;
  account_number: string | null;
  symbol: string | null;
  client_order_id: string | null;
  /** The faults that struck it, in order. */
  faults: { id: string; kind: FaultKind }[];
  /** When the book was asked to act, null when it never was. */
  served_wall_ms: number | null;
  /** The book's own answer, sent or not. */
  served_status: number | null;
  /** The answer that was sent; null while waiting, and forever when the connection was broken instead. */
  answered_wall_ms: number | null;
  answered_status: number | null;
}

export interface ArrivalFilter {
  account_number?: string | undefined;
  method?: string | undefined;
  client_order_id?: string | undefined;
  /** The beginning of the path. */
  path?: string | undefined;
  /** Later than this seq. */
  after?: number | undefined;
  /** Arrived at or after this wall time. */
  since_ms?: number | undefined;
}

export interface Arrivals {
  /** The one given is kept and may be completed later. */
  add(
    arrival: Omit<
      Arrival,
      "seq" | "wall_ms" | "faults" | "served_wall_ms" | "served_status" | "answered_wall_ms" | "answered_status"
    >,
  ): Arrival;
  list(filter?: ArrivalFilter): Arrival[];
  /** How many are no longer remembered. */
  forgotten(): number;
}

/** Wall time in epoch milliseconds that never runs backwards within the process. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** The last requests that wanted to change something, at most `most` of them. */
export function createArrivals(most = 50_000): Arrivals {
  let kept: Arrival[] = [];
  let forgotten = 0;
  let seq = 0;
  return {
    add(arrival) {
      seq += 1;
      const added: Arrival = {
        seq,
        wall_ms: wallMs(),
        ...arrival,
        faults: [],
        served_wall_ms: null,
        served_status: null,
        answered_wall_ms: null,
        answered_status: null,
      };
      kept.push(added);
      // Cut in large pieces, so that the usual case costs nothing.
      if (kept.length >= most * 2) {
        forgotten += kept.length - most;
        kept = kept.slice(-most);
      }
      return added;
    },
    list: (filter = {}) =>
      kept
        .slice(-most)
        .filter(
          (arrival) =>
            (filter.account_number === undefined || arrival.account_number === filter.account_number) &&
            (filter.method === undefined || arrival.method === filter.method) &&
            (filter.client_order_id === undefined || arrival.client_order_id === filter.client_order_id) &&
            (filter.path === undefined || arrival.path.startsWith(filter.path)) &&
            (filter.after === undefined || arrival.seq > filter.after) &&
            (filter.since_ms === undefined || arrival.wall_ms >= filter.since_ms),
        ),
    forgotten: () => forgotten + Math.max(0, kept.length - most),
  };
}
