import { money, type Money, ZERO } from "../../domain/money.ts";
import { newYork, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "./state.ts";
import type { Activity, AccountState, Stamp } from "./types.ts";

/** Activities whose quantity is shares that came or went without an execution. */
const SHARE_TYPES = new Set(["SPLIT", "SPIN", "MA", "NC", "JNLS"]);
/** Money from and to the outside: no profit and no loss. */
const EXTERNAL_TYPES = new Set(["CSD", "CSW", "JNLC"]);

export function stampedAt({ wire, date }: Activity): Stamp {
  return wire.transaction_time ?? wire.created_at ?? `${date}T00:00:00.000000000Z`;
}

export function momentOf(activity: Activity): number {
  return Date.parse(`${stampedAt(activity).slice(0, 23)}Z`);
}

/** The session that an instant lies in or after, and how many of its minutes were over. */
interface Slot {
  index: number;
  minutesDone: number;
}

function slotAt(state: ExchangeState, ms: number): Slot {
  const today = newYork(ms).date;
  const isBegun = state.sessions.isSession(today) && ms >= state.sessions.hours(today).opensAtMs;
  const date = isBegun ? today : state.sessions.previous(today);
  const { opensAtMs, minutes } = state.sessions.hours(date);
  const index = state.market.sessionIndex(date) ?? -1;
  return { index, minutesDone: Math.min(minutes, Math.floor((ms - opensAtMs) / 60_000)) };
}

function priceAt(state: ExchangeState, symbol: string, { index, minutesDone }: Slot): Money {
  const path = state.view.path(symbol, index);
  if (path !== undefined) {
    const price = minutesDone === 0 ? path.open[0] : path.close[minutesDone - 1];
    return money(String(price ?? 0));
  }
  return money(String(state.view.closeBefore(symbol, index) ?? 0));
}

export interface PastEquity {
  equity: Money;
  /** What came in from outside so far, less what went out. */
  external: Money;
}

/** Cash and shares as the activities made them, one after the other. */
function createReplay(accountState: AccountState) {
  const shares = new Map<string, Money>();
  let cash = ZERO;
  let external = ZERO;
  let next = 0;

  function apply({ wire }: Activity): void {
    // An execution that was taken back has not happened.
    if (wire.status === "canceled") return;
    const { activity_type: type, symbol = "", qty = "0" } = wire;
    const amount = money(wire.net_amount ?? "0");
    if (EXTERNAL_TYPES.has(type)) external = external.plus(amount);
    const isFill = type === "FILL";
    const change = isFill && wire.side === "sell" ? money(qty).negated() : money(qty);
    cash = cash.plus(isFill ? change.times(wire.price ?? "0").negated() : amount);
    if (!isFill && !SHARE_TYPES.has(type)) return;
    const left = (shares.get(symbol) ?? ZERO).plus(change);
    if (left.isZero()) shares.delete(symbol);
    else shares.set(symbol, left);
  }

  return {
    shares,
    /** Plays everything up to an instant. Instants must not go back. */
    to(ms: number): { cash: Money; external: Money } {
      for (; next < accountState.activities.length; next += 1) {
        const activity = accountState.activities[next] as Activity;
        if (momentOf(activity) > ms) break;
        apply(activity);
      }
      return { cash, external };
    },
  };
}

/** An account's equity at ascending instants of the past, made again from its activities and the minute path. */
export function equitiesAt(
  state: ExchangeState,
  accountState: AccountState,
  instants: readonly number[],
): PastEquity[] {
  const replay = createReplay(accountState);
  return instants.map((ms) => {
    const { cash, external } = replay.to(ms);
    if (replay.shares.size === 0) return { equity: cash, external };
    const slot = slotAt(state, ms);
    let equity = cash;
    for (const [symbol, qty] of replay.shares) equity = equity.plus(qty.times(priceAt(state, symbol, slot)));
    return { equity, external };
  });
}

/** What came in from outside up to an instant, less what went out. */
export function externalUntil(accountState: AccountState, ms: number): Money {
  let total = ZERO;
  for (const activity of accountState.activities)
    if (EXTERNAL_TYPES.has(activity.wire.activity_type) && momentOf(activity) <= ms)
      total = total.plus(activity.wire.net_amount ?? "0");
  return total;
}

/** The last close before a session day, null for an account that is younger. */
export function closeBefore(accountState: AccountState, date: SessionDate) {
  for (let i = accountState.marks.length - 1; i >= 0; i -= 1) {
    const mark = accountState.marks[i];
    if (mark !== undefined && mark.isClose && mark.date < date) return mark;
  }
  return null;
}
