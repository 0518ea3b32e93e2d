import { newYork, newYorkInstant, type SessionDate } from "../../domain/time.ts";
import type { Sessions } from "../market/sessions.ts";

export type Phase = "closed" | "pre" | "core" | "post";

const MINUTE_MS = 60_000;
/** From 04:00 to the opening at 09:30. */
const PRE_MS = 330 * MINUTE_MS;
/** Four hours after the close: until 20:00, on a half day until 17:00. */
const POST_MS = 240 * MINUTE_MS;

/** A session day's stretches in epoch milliseconds of market time. */
export function phasesOf(sessions: Sessions, date: SessionDate) {
  const { opensAtMs, closesAtMs } = sessions.hours(date);
  return { preStartMs: opensAtMs - PRE_MS, opensAtMs, closesAtMs, postEndMs: closesAtMs + POST_MS };
}

/** The phase at an instant, the session day it belongs to (the next one while closed), and when it ends. */
export function phaseAt(sessions: Sessions, ms: number): { phase: Phase; date: SessionDate; untilMs: number } {
  const today = newYork(ms).date;
  if (sessions.isSession(today)) {
    const { preStartMs, opensAtMs, closesAtMs, postEndMs } = phasesOf(sessions, today);
    if (ms < preStartMs) return { phase: "closed", date: today, untilMs: preStartMs };
    if (ms < opensAtMs) return { phase: "pre", date: today, untilMs: opensAtMs };
    if (ms < closesAtMs) return { phase: "core", date: today, untilMs: closesAtMs };
    if (ms < postEndMs) return { phase: "post", date: today, untilMs: postEndMs };
  }
  const next = sessions.next(today);
  return { phase: "closed", date: next, untilMs: phasesOf(sessions, next).preStartMs };
}

/** Whether an auction of the day still takes orders, or takes those of the next day again, which it does from 19:00. */
export function takesAuctionOrders(sessions: Sessions, ms: number, auction: "opg" | "cls"): boolean {
  const today = newYork(ms).date;
  if (!sessions.isSession(today)) return true;
  const { opensAtMs, closesAtMs } = sessions.hours(today);
  const endsAtMs = auction === "opg" ? opensAtMs - 2 * MINUTE_MS : closesAtMs - 10 * MINUTE_MS;
  return ms < endsAtMs || ms >= Date.parse(newYorkInstant(today, 19, 0));
}

/** The session day that an order without extended hours is for: today until the close, then the next. */
export function sessionFor(sessions: Sessions, ms: number): SessionDate {
  const today = newYork(ms).date;
  return sessions.isSession(today) && ms < sessions.hours(today).closesAtMs ? today : sessions.next(today);
}
