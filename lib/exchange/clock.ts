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

/**
 * Market time runs at speed times wall time and stops at every minute's end until that minute is worked off. A late
 * event does not move the line: market time is back on it as soon as the work is done.
 */
export function createClock(options: ClockOptions): Clock {
  const { sessions } = options;
  let { speed, isPaused } = options.state;
  let processedMs = options.state.processedMs;
  let baseMs = options.state.nowMs;
  const wall = options.isWallClock ? Date.now : () => performance.now();
  let baseWall = options.isWallClock ? baseMs : wall();
  let lastMs = baseMs;
  let isWorking = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;
  let leftOutMs = 0;
  let saidAt = -Infinity;
  let queue: Promise<unknown> = Promise.resolve();

  /** The next opening or minute's end after what is processed; Infinity at a tape's end. */
  function nextEventMs(): number {
    const today = newYork(processedMs).date;
    if (sessions.isSession(today)) {
      const { opensAtMs, closesAtMs } = sessions.hours(today);
      if (processedMs < opensAtMs) return opensAtMs;
      if (processedMs < closesAtMs) return opensAtMs + (Math.floor((processedMs - opensAtMs) / 60_000) + 1) * 60_000;
    }
    const next = sessions.next(today);
    if (options.lastSession !== null && next > options.lastSession) return Infinity;
    return sessions.hours(next).opensAtMs;
  }

  let eventMs = nextEventMs();

  function nowMs(): number {
    if (isWorking) return processedMs;
    if (isPaused || isStopped) return baseMs;
    const ms = Math.min(baseMs + (wall() - baseWall) * speed, eventMs === Infinity ? baseMs : eventMs - 1);
    // A wall clock may be set back; market time then waits for it.
    lastMs = Math.max(lastMs, ms);
    return lastMs;
  }

  function rebase(ms: number): void {
    baseMs = ms;
    baseWall = options.isWallClock ? ms : wall();
    lastMs = ms;
  }

  const isOpening = (ms: number) => ms !== Infinity && sessions.hours(newYork(ms).date).opensAtMs === ms;

  /** The wall time at which the next event falls due; an opening after skipped hours is due as soon as they begin. */
  const dueWall = () => (options.skipClosed && isOpening(eventMs) ? baseWall : baseWall + (eventMs - baseMs) / speed);

  async function processNext(): Promise<void> {
    const at = eventMs;
    const dueAt = dueWall();
    isWorking = true;
    try {
      processedMs = at;
      const { opensAtMs } = sessions.hours(newYork(at).date);
      if (at === opensAtMs) options.onOpen();
      else options.onMinute((at - opensAtMs) / 60_000 - 1);
    } finally {
      eventMs = nextEventMs();
      isWorking = false;
    }
    // Market time stays on its line: the event happened when it was due, or now if that is earlier.
    baseWall = options.isWallClock ? at : Math.min(wall(), dueAt);
    baseMs = at;
    lastMs = Math.max(lastMs, at);
    await options.afterEvent();
  }

  /** Leaves out what the next event is late beyond the limit. */
  function limitLateness(): void {
    const lateMs = wall() - dueWall() - CATCH_UP_MS;
    if (options.isWallClock || !(lateMs > 0)) return;
    baseWall += lateMs;
    leftOutMs += lateMs;
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    const seconds = (leftOutMs / 1000).toFixed(1);
    options.complain(
      `clock: ${seconds} s of wall time left out since the start: the process stood still or cannot keep up with ${speed}x`,
    );
  }

  async function runTo(targetMs: number): Promise<void> {
    while (eventMs <= targetMs) await processNext();
    rebase(Math.max(targetMs, processedMs));
  }

  /** Works off what is due. After a while it gives way to control commands; what is left is due at once again. */
  async function tick(): Promise<void> {
    const startedAt = performance.now();
    limitLateness();
    while (eventMs !== Infinity && !isPaused && !isStopped) {
      if (dueWall() > wall()) return;
      if (performance.now() - startedAt > WORK_AT_MOST_MS) return;
      await processNext();
      // A close and the opening after it fall due together; requests that arrive meanwhile are answered in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** One thing at a time: ticks and control commands never interleave. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work);
    queue = result.catch((error: unknown) => options.complain(`clock: ${String(error)}`));
    return result;
  }

  function schedule(): void {
    if (isStopped || isPaused) return;
    clearTimeout(timer);
    const waitMs = Math.min(LOOK_EVERY_MS, dueWall() - wall());
    timer = setTimeout(() => void inTurn(tick).finally(schedule), Math.max(1, waitMs));
  }

  return {
    nowMs,
    state: () => ({ nowMs: nowMs(), processedMs, speed, isPaused }),
    leftOutMs: () => leftOutMs,
    set: (change) =>
      inTurn(async () => {
        rebase(nowMs());
        if (change.speed !== undefined) speed = change.speed;
        if (change.isPaused !== undefined) isPaused = change.isPaused;
      }).finally(schedule),
    advance: (minutes) =>
      inTurn(async () => {
        if (!options.skipClosed) return runTo(nowMs() + minutes * 60_000);
        let left = minutes * 60_000;
        while (left > 0 && eventMs !== Infinity) {
          const from = nowMs();
          if (isOpening(eventMs)) {
            await runTo(eventMs);
            continue;
          }
          const step = Math.min(left, eventMs - from);
          await runTo(from + step);
          left -= step;
        }
      }).finally(schedule),
    jumpTo: (targetMs) => inTurn(() => runTo(targetMs)).finally(schedule),
    start() {
      isStopped = false;
      rebase(baseMs);
      schedule();
    },
    async stop() {
      const at = nowMs();
      isStopped = true;
      clearTimeout(timer);
      await queue;
      rebase(Math.max(at, processedMs));
    },
  };
}
