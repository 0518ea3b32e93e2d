import type { Call, Reply } from "../http/router.ts";

/** Vendors that ask for a key; CBOE asks for none. */
const WITH_KEYS = ["finnhub", "fmp", "alphavantage", "fred", "llm"] as const;

/** The key each vendor asks for; a vendor without one answers every request, without limit. */
export type VendorKeys = Partial<Record<(typeof WITH_KEYS)[number], string>>;

/** Reads "finnhub=abc,fmp=def". */
export function readVendorKeys(text: string | undefined): VendorKeys {
  const keys: VendorKeys = {};
  for (const pair of (text ?? "").split(",").filter((part) => part !== "")) {
    const [name, key] = pair.split("=");
    const vendor = WITH_KEYS.find((known) => known === name);
    if (vendor === undefined || key === undefined || key === "")
      throw new Error(`a vendor's key is written vendor=key, with one of ${WITH_KEYS.join(", ")}`);
    keys[vendor] = key;
  }
  return keys;
}

/** Calls of a key within a stretch of market time, as on the vendors' free plans. */
interface CallLimit {
  calls: number;
  per: "minute" | "day";
}

/** Counts a vendor's calls by the minute or the day of market time. */
function createCounter({ calls, per }: CallLimit) {
  let window = "";
  let count = 0;
  return (call: Call): boolean => {
    const { nowMs, hours } = call.state.view.moment();
    const now = per === "day" ? hours.date : String(Math.floor(nowMs / 60_000));
    if (now !== window) {
      window = now;
      count = 0;
    }
    count += 1;
    return count <= calls;
  };
}

/** Lets a call through to the handler when its key is right and its limit is not used up. */
export function guarded(
  key: string | undefined,
  limit: CallLimit | null,
  refusals: { given(call: Call): string | null; wrongKey(call: Call): Reply; overLimit(): Reply },
): (serve: (call: Call) => Reply) => (call: Call) => Reply {
  if (key === undefined) return (serve) => serve;
  const isWithin = limit === null ? () => true : createCounter(limit);
  return (serve) => (call) => {
    if (refusals.given(call) !== key) return refusals.wrongKey(call);
    return isWithin(call) ? serve(call) : refusals.overLimit();
  };
}
