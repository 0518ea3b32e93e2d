import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ExchangeState } from "../book/state.ts";
import type { StreamEvent } from "../store.ts";
import type { Fault } from "../faults.ts";
import type { Subject } from "./match.ts";

const STREAM = "/stream";

/** A frame that goes out as it is instead of the event. */
type Frame = StreamEvent | { accountId: string; raw: string };

function subjectOfEvent(state: ExchangeState, { accountId, data }: StreamEvent): Subject {
  const order = data.order as { symbol?: string; client_order_id?: string } | undefined;
  return {
    ...subjectOfAccount(state, accountId),
    symbols: order?.symbol === undefined ? [] : [order.symbol],
    clientOrderId: order?.client_order_id,
    event: typeof data.event === "string" ? data.event : undefined,
  };
}

function subjectOfAccount(state: ExchangeState, accountId: string | null): Subject {
  if (accountId === null) return {};
  return { accountId, accountNumber: state.accounts.get(accountId)?.account.accountNumber };
}

function spoiled(fault: Fault, event: StreamEvent): Frame {
  const { accountId, data } = event;
  if (fault.form === "wrong_types")
    return { accountId, data: { ...data, event: 7, timestamp: false, order: "none", qty: { shares: 1 } } };
  if (fault.form === "unknown_event") return { accountId, data: { ...data, event: "restated_by_hand" } };
  return { accountId, raw: '{"stream":"trade_updates","data":{"event":' };
}

/** Holds events back until a number of them is there or a time is over, and lets them go last one first. */
function createHold(send: (event: StreamEvent) => void) {
  let held: StreamEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  function release(): void {
    clearTimeout(timer);
    timer = undefined;
    const due = held.reverse();
    held = [];
    for (const event of due) send(event);
  }
  return {
    add(event: StreamEvent, size: number, ms: number): void {
      held.push(event);
      if (held.length >= size) release();
      else timer ??= setTimeout(release, ms).unref();
    },
  };
}

/** The faults of the trade_updates stream: between an event and its sockets. `send` writes to every socket of the account. */
export function createStreamFaults(stateOf: () => ExchangeState, send: (frame: Frame) => void) {
  const hold = createHold(send);
  return {
    /** Hands an event on as the faults have it: never, twice, later, out of order, or spoiled. */
    deliver(event: StreamEvent): void {
      const state = stateOf();
      const { faults } = state;
      if (!faults.isAny()) return send(event);
      const subject = subjectOfEvent(state, event);
      const strike = (kind: Fault["kind"]) => faults.strike([kind], "GET", STREAM, subject);
      if ((strike("mute_stream") ?? strike("missing_events")) !== undefined) return;
      const garbage = strike("garbage_events");
      if (garbage !== undefined) return send(spoiled(garbage, event));
      const late = strike("late_events");
      if (late !== undefined) {
        setTimeout(() => send(event), late.ms ?? 1_000).unref();
        return;
      }
      const reordered = strike("reordered_events");
      if (reordered !== undefined) return hold.add(event, reordered.size ?? 2, reordered.ms ?? 1_000);
      send(event);
      if (strike("duplicate_events") !== undefined) send(event);
    },
  };
}

/** Whether an open socket says nothing at all, and then whether it still answers pings. */
export function muteness(state: ExchangeState, accountId: string | null): { isMute: boolean; pongs: boolean } {
  if (!state.faults.isAny()) return { isMute: false, pongs: true };
  const fault = state.faults.active("mute_socket", "GET", STREAM, subjectOfAccount(state, accountId));
  return { isMute: fault !== undefined, pongs: fault?.pongs ?? true };
}

/** What a scripted fault makes of an authentication: no answer, a refusal, or nothing special. */
export function spoiledAuthentication(state: ExchangeState, accountId: string | null): "silence" | "refused" | null {
  if (!state.faults.isAny()) return null;
  const subject = subjectOfAccount(state, accountId);
  if (state.faults.strike(["auth_silence"], "GET", STREAM, subject) !== undefined) return "silence";
  return state.faults.strike(["auth_refused", "keys_revoked"], "GET", STREAM, subject) === undefined ? null : "refused";
}

/** Plays a fault on a websocket's upgrade; true when the request is dealt with. */
export function isUpgradeStruck(state: ExchangeState, request: IncomingMessage, socket: Duplex, path: string): boolean {
  if (!state.faults.isAny()) return false;
  const keyId = request.headers["apca-api-key-id"];
  const accountState = typeof keyId === "string" ? state.byKeyId.get(keyId) : undefined;
  const subject = subjectOfAccount(state, accountState?.account.id ?? null);
  const fault = state.faults.strike(["hung_upgrade", "refused_upgrade"], "GET", path, subject);
  if (fault === undefined) return false;
  socket.on("error", () => socket.destroy());
  if (fault.kind === "refused_upgrade")
    socket.end(`HTTP/1.1 ${fault.status ?? 503} Scripted\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  else setTimeout(() => socket.destroy(), fault.ms ?? 60_000).unref();
  return true;
}
