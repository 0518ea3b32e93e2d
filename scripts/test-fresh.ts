// Files of tests share a process, so that libraries are loaded once; they share nothing else. Each file gets the product's
// modules anew (what a module remembers begins empty), the environment as the process found it, real timers and globals.
import { syncBuiltinESMExports } from "node:module";
import type nodeTimers from "node:timers";
import timersPromises from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, expect, vi } from "vitest";

type NodeTimers = Pick<typeof nodeTimers, "setTimeout" | "setInterval">;
/** As Node has them: the types of a browser say otherwise. */
const globals = globalThis as unknown as NodeTimers;
const shared = globalThis as unknown as {
  testEnvironment?: NodeJS.ProcessEnv;
  testTimers?: NodeTimers & { after: typeof timersPromises.setTimeout };
  /** The file before this one, once its clean-up came to its end; that of a file that failed there does not. */
  testEnded?: string | undefined;
};

/** What the product keeps for a whole process, however often a build holds a module. */
const kept = () => Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("tradewind"));
const forget = () => kept().forEach((name) => Reflect.deleteProperty(globalThis, name));

const environment = (shared.testEnvironment ??= { ...process.env });
vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
Object.assign(process.env, environment);
const left = kept();
const before = shared.testEnded;
forget();
shared.testEnded = undefined;
if (before && left.length > 0) throw new Error(`${before} still runs after its end: it made ${left.join(", ")}`);

/** Timers that this file started and that have not come to their end. */
const timers = new Set<NodeJS.Timeout>();
const { setTimeout, setInterval, after } = (shared.testTimers ??= {
  setTimeout: globals.setTimeout,
  setInterval: globals.setInterval,
  after: timersPromises.setTimeout,
});
function noted<Args extends unknown[]>(run: (...args: Args) => void, ms?: number, ...args: Args): NodeJS.Timeout {
  const timer = setTimeout(() => {
    timers.delete(timer);
    run(...args);
  }, ms);
  timers.add(timer);
  return timer;
}
globals.setTimeout = Object.assign(noted, {
  [promisify.custom]: promisify(setTimeout),
}) as unknown as typeof setTimeout;
globals.setInterval = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
  const timer = setInterval(run, ms, ...args);
  timers.add(timer);
  return timer;
}) as unknown as typeof setInterval;
timersPromises.setTimeout = (ms, value, options) => {
  if (options?.signal) return after(ms, value, options);
  return new Promise((resolve) => {
    const timer = noted(() => resolve(value as never), ms);
    if (options?.ref === false) timer.unref();
  });
};
syncBuiltinESMExports();

// Registered first, so that it runs last: with a process of its own, the file would end here with all that it started.
afterAll(() => {
  for (const timer of timers) clearTimeout(timer);
  forget();
  shared.testEnded = expect.getState().testPath;
});
