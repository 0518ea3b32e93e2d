import { isShed, problemOf, type FuzzAnswer, type FuzzedStack } from "./check-answer.ts";
import { makeRequest, type Making } from "./make-request.ts";
import type { FuzzRequest } from "./request.ts";
import type { Send } from "./send.ts";
import { shrink } from "./shrink.ts";

export interface Finding {
  index: number;
  problem: string;
  request: FuzzRequest;
}

export interface FuzzReport {
  sent: number;
  /** How often each status was answered. */
  statuses: Record<string, number>;
  families: Record<string, number>;
  /** Answers of 503 with a time to come back. */
  shed: number;
  slowestMs: number;
  /** Answers that came too late once, and in time when the request was sent again: the machine was busy elsewhere. */
  lateOnce: number;
  findings: Finding[];
}

/** More of the same fault teaches nothing. */
const FINDINGS_MAX = 10;

/** Sends the requests of a seed, a few at a time; faults are shown in their smallest form. */
export async function runFuzz(
  making: Making,
  send: Send,
  { seed, requests, lines, ...stack }: { seed: number; requests: number; lines: number } & FuzzedStack,
  onProgress: (report: FuzzReport) => Promise<void> = async () => undefined,
  isOver: () => boolean = () => false,
): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, statuses: {}, families: {}, shed: 0, slowestMs: 0, lateOnce: 0, findings: [] };
  let next = 0;
  const line = async () => {
    while (next < requests && !isOver() && report.findings.length < FINDINGS_MAX) {
      const index = next;
      next += 1;
      const request = makeRequest(making, seed, index);
      const answer = await send(request);
      note(report, request, answer, isShed(answer, stack));
      let problem = problemOf(request, answer, stack);
      if (problem !== null && answer.durationMs > stack.slowMs) {
        problem = problemOf(request, await send(request), stack);
        if (problem === null) report.lateOnce += 1;
      }
      if (problem !== null) report.findings.push({ index, ...(await smallest(request, problem, send, stack)) });
      await onProgress(report);
    }
  };
  await Promise.all(Array.from({ length: lines }, line));
  return report;
}

function note(report: FuzzReport, { family }: FuzzRequest, answer: FuzzAnswer, wasShed: boolean): void {
  report.sent += 1;
  report.families[family] = (report.families[family] ?? 0) + 1;
  const status = answer.status === 0 ? "closed" : String(answer.status);
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  if (wasShed) report.shed += 1;
  report.slowestMs = Math.max(report.slowestMs, answer.durationMs);
}

async function smallest(request: FuzzRequest, problem: string, send: Send, stack: FuzzedStack) {
  const kind = (text: string | null) => text?.replaceAll(/\d+ ms|: .*/gs, "") ?? null;
  const small = await shrink(
    request,
    async (smaller) => kind(problemOf(smaller, await send(smaller), stack)) === kind(problem),
  );
  return { problem, request: small };
}
