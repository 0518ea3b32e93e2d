import type { Sessions } from "./market/sessions.ts";
import { newYork } from "../domain/time.ts";

/** The longest stretch of wall time that one step makes up for: a laptop that slept does not replay its night. */
const CATCH_UP_MS = 2_000;
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
  skipClosed: boolean;
  sessions: Sessions;
  lastSession: string | null;
  onOpen(): void;
  onMinute(minute: number): void;
  /** Called after each processed event; resolves when its effects are safe. */
  afterEvent(): Promise<void>;
  complain(message: string): void;
}

/** Market time runs at speed times wall time and stops at every minute's end until that minute is worked off. */
export function createClock(options: ClockOptions): Clock {
  const { sessions } = options;
  let { speed, isPaused } = options.state;
  let processedMs = options.state.processedMs;
  let baseMs = options.state.nowMs;
  let baseWall = performance.now();
  let isWorking = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = true;
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
    return Math.min(baseMs + (performance.now() - baseWall) * speed, eventMs === Infinity ? baseMs : eventMs - 1);
  }

  function rebase(ms: number): void {
    baseMs = ms;
    baseWall = performance.now();
  }

  /** The wall time at which the next event falls due. */
  const dueWall = () => baseWall + (eventMs - baseMs) / speed;

  async function processNext(): Promise<void> {
    const at = eventMs;
    const dueAt = baseWall + (at - baseMs) / speed;
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
    baseWall = Math.min(performance.now(), dueAt);
    baseMs = at;
    await options.afterEvent();
  }

  const isOpening = (ms: number) => ms !== Infinity && sessions.hours(newYork(ms).date).opensAtMs === ms;

  async function runTo(targetMs: number): Promise<void> {
    while (eventMs <= targetMs) await processNext();
    rebase(Math.max(targetMs, processedMs));
  }

  /** Works off what is due. After a while it gives way to control commands; what is left is due at once again. */
  async function tick(): Promise<void> {
    const startedAt = performance.now();
    baseWall = Math.max(baseWall, startedAt - CATCH_UP_MS);
    while (eventMs !== Infinity && !isPaused && !isStopped) {
      const isSkipped = options.skipClosed && isOpening(eventMs);
      if (!isSkipped && dueWall() > performance.now()) return;
      if (performance.now() - startedAt > WORK_AT_MOST_MS) return;
      await processNext();
      // A close and the opening after it fall due together; whoever asks meanwhile is answered in between.
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
    const isSkipped = options.skipClosed && isOpening(eventMs);
    const waitMs = isSkipped ? 0 : Math.min(LOOK_EVERY_MS, dueWall() - performance.now());
    timer = setTimeout(() => void inTurn(tick).finally(schedule), Math.max(1, waitMs));
  }

  return {
    nowMs,
    state: () => ({ nowMs: nowMs(), processedMs, speed, isPaused }),
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
