import { type ResourceLimits, Worker } from "node:worker_threads";

/**
 * Starts a program of ours in a thread. The development loader does not follow into threads by itself, so a source file is
 * started through it; a built program is started as it is.
 */
export function startThread(program: string, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker {
  if (!program.endsWith(".ts")) return new Worker(new URL(program), { workerData, resourceLimits });
  const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${JSON.stringify(program)}); });`;
  return new Worker(start, { eval: true, workerData, resourceLimits });
}
