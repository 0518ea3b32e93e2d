import os from "node:os";
import type { Worker } from "node:worker_threads";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { checkPolicy, type Policy } from "@/lib/domain/policy.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { startThread } from "@/lib/server/start-thread.ts";
import type { SweepAxis } from "./options.ts";
import type { ThreadAnswer, ThreadData, ThreadRun } from "./thread.ts";

/** One combination of the swept values. */
export interface SweepPoint {
  parameters: Record<string, number>;
  policy: Policy;
}

const THREADS_DEFAULT_MAX = 2;

function withValue(policy: Policy, path: string, value: number): Policy {
  const [section = "", key = ""] = path.split(".");
  const fields = policy[section as Exclude<keyof Policy, "version">] as Record<string, number>;
  return { ...policy, [section]: { ...fields, [key]: value } };
}

/** All combinations, in the order in which the options name them. A combination that is no valid policy is refused. */
export function sweepPoints(policy: Policy, axes: readonly SweepAxis[]): SweepPoint[] {
  let points: SweepPoint[] = [{ parameters: {}, policy }];
  for (const { path, values } of axes) {
    points = points.flatMap((point) =>
      values.map((value) => ({
        parameters: { ...point.parameters, [path]: value },
        policy: withValue(point.policy, path, value),
      })),
    );
  }
  for (const { parameters, policy: candidate } of points) {
    const checked = checkPolicy(candidate);
    if (checked.ok) continue;
    const [issue] = checked.issues;
    const named = Object.entries(parameters).map(([path, value]) => `${path}=${value}`);
    throw new Failure(
      "invalid_input",
      `The sweep point ${named.join(" ")} is no valid policy: ${issue?.path} ${issue?.message}.`,
    );
  }
  return points;
}

export interface SweepPool {
  run(job: { policy: Policy; cash: string; from: SessionDate; to: SessionDate }): Promise<BacktestResult>;
  close(): Promise<void>;
}

export function threadCount(asked: number | null, jobs: number): number {
  const free = Math.max(1, os.availableParallelism() - 1);
  return Math.max(1, Math.min(asked ?? Math.min(free, THREADS_DEFAULT_MAX), jobs));
}

/** Worker threads that each read the tape once and then run what they are given. `program` is the command's own file. */
export function openPool(program: string, data: ThreadData, threads: number): SweepPool {
  const waiting: { job: ThreadRun; resolve(result: BacktestResult): void; reject(error: Error): void }[] = [];
  const idle: Worker[] = [];
  const busy = new Map<Worker, (typeof waiting)[number]>();
  let failure: Error | null = null;
  const assign = () => {
    for (let worker = idle.pop(); worker !== undefined; worker = idle.pop()) {
      const next = waiting.shift();
      if (next === undefined) {
        idle.push(worker);
        return;
      }
      busy.set(worker, next);
      worker.postMessage(next.job);
    }
  };
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of [...busy.values(), ...waiting.splice(0)]) reject(failure);
    busy.clear();
  };
  const workers = Array.from({ length: threads }, () => {
    const worker = startThread(program, data);
    worker.on("message", (answer: ThreadAnswer) => {
      const done = busy.get(worker);
      busy.delete(worker);
      idle.push(worker);
      if (answer.ok) done?.resolve(answer.result);
      else done?.reject(new Error(answer.message));
      assign();
    });
    worker.on("error", fail);
    idle.push(worker);
    return worker;
  });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        waiting.push({ job, resolve, reject });
        assign();
      }),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
