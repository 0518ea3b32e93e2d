/** A wall clock that can be set: it stands where it was put and runs on in real time. Timers and `performance` stay as they are. */
const RealDate = globalThis.Date;
let offsetMs = 0;

class MovedDate extends RealDate {
  constructor(...given: [] | ConstructorParameters<typeof Date>) {
    if (given.length === 0) super(MovedDate.now());
    else super(...given);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }

  /** Dates made before the clock was set are dates as well. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof RealDate;
  }
}

/** Puts this process's clock so far beside the machine's. */
export function setClockOffset(ms: number): void {
  offsetMs = ms;
  globalThis.Date = MovedDate as DateConstructor;
}

/** How far beside the machine's clock an instant lies. */
export const offsetTo = (instantMs: number): number => instantMs - RealDate.now();

/** Gives the process the machine's clock back. */
export function restoreClock(): void {
  globalThis.Date = RealDate;
}
