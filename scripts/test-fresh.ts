// Files of tests share a process, so that libraries are loaded once; they share nothing else. Each file gets the product's
// modules anew (what a module remembers begins empty), the environment as the process found it, real timers and globals.
import { promisify } from "node:util";
import { afterAll, vi } from "vitest";

const shared = globalThis as unknown as {
  testEnvironment?: NodeJS.ProcessEnv;
  testTimers?: Pick<typeof globalThis, "setTimeout" | "setInterval">;
};
const environment = (shared.testEnvironment ??= { ...process.env });

/** What the product keeps for a whole process, however often a build holds a module. */
const kept = () => Object.getOwnPropertyNames(globalThis).filter((name) => name.startsWith("tradewind"));
const forget = () => kept().forEach((name) => Reflect.deleteProperty(globalThis, name));

vi.useRealTimers();
vi.unstubAllGlobals();
vi.resetModules();
for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
Object.assign(process.env, environment);
const left = kept();
forget();
if (left.length > 0) throw new Error(`an earlier file of tests still runs: it made ${left.join(", ")}`);

/** Timers that this file started and that have not come to their end. */
const timers = new Set<NodeJS.Timeout>();
const { setTimeout, setInterval } = (shared.testTimers ??= {
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
});
const noted = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
  const timer = setTimeout(() => {
    timers.delete(timer);
    run(...args);
  }, ms);
  timers.add(timer);
  return timer;
};
globalThis.setTimeout = Object.assign(noted, {
  [promisify.custom]: setTimeout[promisify.custom],
}) as typeof setTimeout;
globalThis.setInterval = ((run: () => void, ms?: number, ...args: never[]) => {
  const timer = setInterval(run, ms, ...args);
  timers.add(timer);
  return timer;
}) as typeof setInterval;

// Registered first, so that it runs last: with a process of its own, the file would end here with all that it started.
afterAll(() => {
  for (const timer of timers) clearTimeout(timer);
  forget();
});
