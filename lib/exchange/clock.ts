import type { Sessions } from "./market/sessions.ts";
import { newYork } from "../domain/time.ts";

/** An event may be this late on the wall and is still made up for; what is later is left out: a laptop that slept does not replay its night. */
const CATCH_UP_MS = 2_000;
/** How often it is said that market time was left out. */
const SAY_EVERY_MS = 60_000;
const WORK_AT_MOST_MS = 50;
const LOOK_EVERY_MS = 250;

export interface ClockState {
  nowMs: number;
  processedMs: number;
  speed: number;
  isPaused: boolean;
}

export interface Clock {
  /** Market time in epoch milliseconds, never beyond the next minute that has to be processed. */
  nowMs(): number;
  state(): ClockState;
  /** Wall milliseconds left out since the start, because the process stood still or could not keep up with the speed. */
  leftOutMs(): number;
  set(change: { speed?: number | undefined; isPaused?: boolean | undefined }): Promise<void>;
  /** Advances by minutes of market time; closed hours do not count when they are skipped. */
  advance(minutes: number): Promise<void>;
  /** Processes everything up to an instant and stands there. */
  jumpTo(targetMs: number): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface ClockOptions {
  state: ClockState;
  /** Market time is the wall clock's, at speed 1: whatever passes is played, however late, and nothing is left out. */
  isWallClock?: boolean;
  skipClosed: boolean;
  sessions: Sessions;
  lastSession: string | null;
  onOpen(): void;
  onMinute(minute: number): void;
  /** Called after each processed event; resolves when its effects are safe. */
  afterEvent(): Promise<void>;
  complain(message: string): void;
}

/** Where market time stands and how it runs on: through `baseMs` at the wall time `baseWall`, at its speed. */
interface Timeline {
  options: ClockOptions;
  wall: () => number;
  speed: number;
  isPaused: boolean;
  isStopped: boolean;
  isWorking: boolean;
  baseMs: number;
  baseWall: number;
  /** The latest market time that was reported. */
  lastMs: number;
  processedMs: number;
  /** The next event; Infinity at a tape's end. */
  eventMs: number;
  leftOutMs: number;
  saidAt: number;
}

function createTimeline(options: ClockOptions): Timeline {
  const { speed, isPaused, processedMs, nowMs: baseMs } = options.state;
  const wall = options.isWallClock ? Date.now : () => performance.now();
  return {
    ...{ options, wall, speed, isPaused, isStopped: true, isWorking: false },
    ...{ baseMs, baseWall: options.isWallClock ? baseMs : wall(), lastMs: baseMs },
    ...{ processedMs, eventMs: nextEventMs(options, processedMs) },
    ...{ leftOutMs: 0, saidAt: -Infinity },
  };
}

/** The next opening or minute's end after what is processed; Infinity at a tape's end. */
function nextEventMs({ sessions, lastSession }: ClockOptions, processedMs: number): number {
  const today = newYork(processedMs).date;
  if (sessions.isSession(today)) {
    const { opensAtMs, closesAtMs } = sessions.hours(today);
    if (processedMs < opensAtMs) return opensAtMs;
    if (processedMs < closesAtMs) return opensAtMs + (Math.floor((processedMs - opensAtMs) / 60_000) + 1) * 60_000;
  }
  const next = sessions.next(today);
  if (lastSession !== null && next > lastSession) return Infinity;
  return sessions.hours(next).opensAtMs;
}

function marketNowMs(timeline: Timeline): number {
  const { baseMs, eventMs } = timeline;
  if (timeline.isWorking) return timeline.processedMs;
  if (timeline.isPaused || timeline.isStopped) return baseMs;
  const passedMs = (timeline.wall() - timeline.baseWall) * timeline.speed;
  const ms = Math.min(baseMs + passedMs, eventMs === Infinity ? baseMs : eventMs - 1);
  // A wall clock may be set back; market time then waits for it.
  timeline.lastMs = Math.max(timeline.lastMs, ms);
  return timeline.lastMs;
}

function rebase(timeline: Timeline, ms: number): void {
  timeline.baseMs = ms;
  timeline.baseWall = timeline.options.isWallClock ? ms : timeline.wall();
  timeline.lastMs = ms;
}

function isOpeningNext({ options: { sessions }, eventMs }: Timeline): boolean {
  return eventMs !== Infinity && sessions.hours(newYork(eventMs).date).opensAtMs === eventMs;
}

/** The wall time at which the next event falls due; an opening after skipped hours is due as soon as they begin. */
function dueWall(timeline: Timeline): number {
  const { options, eventMs, baseMs, baseWall, speed } = timeline;
  return options.skipClosed && isOpeningNext(timeline) ? baseWall : baseWall + (eventMs - baseMs) / speed;
}

async function processNext(timeline: Timeline): Promise<void> {
  const { options, eventMs: at } = timeline;
  const dueAt = dueWall(timeline);
  timeline.isWorking = true;
  try {
    timeline.processedMs = at;
    const { opensAtMs } = options.sessions.hours(newYork(at).date);
    if (at === opensAtMs) options.onOpen();
    else options.onMinute((at - opensAtMs) / 60_000 - 1);
  } finally {
    timeline.eventMs = nextEventMs(options, timeline.processedMs);
    timeline.isWorking = false;
  }
  // Market time stays on its line: the event happened when it was due, or now if that is earlier.
  timeline.baseWall = options.isWallClock ? at : Math.min(timeline.wall(), dueAt);
  timeline.baseMs = at;
  timeline.lastMs = Math.max(timeline.lastMs, at);
  await options.afterEvent();
}

/** Leaves out what the next event is late beyond the limit. */
function limitLateness(timeline: Timeline): void {
  const { options } = timeline;
  const lateMs = timeline.wall() - dueWall(timeline) - CATCH_UP_MS;
  if (options.isWallClock || !(lateMs > 0)) return;
  timeline.baseWall += lateMs;
  timeline.leftOutMs += lateMs;
  if (performance.now() - timeline.saidAt < SAY_EVERY_MS) return;
  timeline.saidAt = performance.now();
  const seconds = (timeline.leftOutMs / 1000).toFixed(1);
  options.complain(
    `clock: ${seconds} s of wall time left out since the start: the process stood still or cannot keep up with ${timeline.speed}x`,
  );
}

async function runTo(timeline: Timeline, targetMs: number): Promise<void> {
  while (timeline.eventMs <= targetMs) await processNext(timeline);
  rebase(timeline, Math.max(targetMs, timeline.processedMs));
}

async function advance(timeline: Timeline, minutes: number): Promise<void> {
  if (!timeline.options.skipClosed) return runTo(timeline, marketNowMs(timeline) + minutes * 60_000);
  let left = minutes * 60_000;
  while (left > 0 && timeline.eventMs !== Infinity) {
    const from = marketNowMs(timeline);
    if (isOpeningNext(timeline)) {
      await runTo(timeline, timeline.eventMs);
      continue;
    }
    const step = Math.min(left, timeline.eventMs - from);
    await runTo(timeline, from + step);
    left -= step;
  }
}

/** Works off what is due. After a while it gives way to control commands; what is left is due at once again. */
async function workOff(timeline: Timeline): Promise<void> {
  const startedAt = performance.now();
  limitLateness(timeline);
  while (timeline.eventMs !== Infinity && !timeline.isPaused && !timeline.isStopped) {
    if (dueWall(timeline) > timeline.wall()) return;
    if (performance.now() - startedAt > WORK_AT_MOST_MS) return;
    await processNext(timeline);
    // A close and the opening after it fall due together; requests that arrive meanwhile are answered in between.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Market time runs at speed times wall time and stops at every minute's end until that minute is worked off. A late
 * event does not move the line: market time is back on it as soon as the work is done.
 */
export function createClock(options: ClockOptions): Clock {
  const timeline = createTimeline(options);
  const nowMs = () => marketNowMs(timeline);
  let timer: NodeJS.Timeout | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  /** One thing at a time: ticks and control commands never interleave. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch((error: unknown) => options.complain(`clock: ${String(error)}`));
    return result;
  }

  function schedule(): void {
    if (timeline.isStopped || timeline.isPaused) return;
    clearTimeout(timer);
    const waitMs = Math.min(LOOK_EVERY_MS, dueWall(timeline) - timeline.wall());
    timer = setTimeout(() => void inTurn(() => workOff(timeline)).finally(schedule), Math.max(1, waitMs));
  }

  return {
    nowMs,
    state() {
      const { processedMs, speed, isPaused } = timeline;
      return { nowMs: nowMs(), processedMs, speed, isPaused };
    },
    leftOutMs: () => timeline.leftOutMs,
    set: (change) =>
      inTurn(async () => {
        rebase(timeline, nowMs());
        if (change.speed !== undefined) timeline.speed = change.speed;
        if (change.isPaused !== undefined) timeline.isPaused = change.isPaused;
      }).finally(schedule),
    advance: (minutes) => inTurn(() => advance(timeline, minutes)).finally(schedule),
    jumpTo: (targetMs) => inTurn(() => runTo(timeline, targetMs)).finally(schedule),
    start() {
      timeline.isStopped = false;
      rebase(timeline, timeline.baseMs);
      schedule();
    },
    async stop() {
      const at = nowMs();
      timeline.isStopped = true;
      clearTimeout(timer);
      await queue;
      rebase(timeline, Math.max(at, timeline.processedMs));
    },
  };
}
