import {
  isAbsentOutside,
  isShed,
  problemsOf,
  type FuzzAnswer,
  type FuzzedStack,
  type Problem,
} from "./check-answer.ts";
import { doorAt } from "./doors.ts";
import { makeRequest, type Making } from "./make-request.ts";
import { describeRequest, type FuzzRequest } from "./request.ts";
import type { Send } from "./send.ts";
import { shrink } from "./shrink.ts";

export interface Finding extends Problem {
  index: number;
  request: FuzzRequest;
}

export interface FuzzReport {
  sent: number;
  /** How often each status was answered. */
  statuses: Record<string, number>;
  families: Record<string, number>;
  /** Answers of 503 with a time to retry. */
  shed: number;
  slowestMs: number;
  /** Answers that came too late once, and in time when the request was sent again: the machine was busy elsewhere. */
  lateOnce: number;
  findings: Finding[];
}

const FINDINGS_MAX = 20;
/** So many answers of "retry later" in a row, or of one address that never says anything else, are no load: something is unavailable. */
const SHED_IN_A_ROW_MAX = 100;
const SHED_OF_A_DOOR_MAX = 15;

/** Sends the requests of a seed, a few at a time; faults are shown in their smallest form. */
export async function runFuzz(
  making: Making,
  send: Send,
  { seed, requests, lines, ...stack }: { seed: number; requests: number; lines: number } & FuzzedStack,
  onProgress: (report: FuzzReport) => Promise<void> = async () => undefined,
  isOver: () => boolean = () => false,
): Promise<FuzzReport> {
  const report: FuzzReport = { sent: 0, statuses: {}, families: {}, shed: 0, slowestMs: 0, lateOnce: 0, findings: [] };
  const shed = new ShedWatch(stack);
  const found = new Set<string>();
  /** The same rule broken at the same address teaches nothing new. */
  const isNew = ({ rule }: Problem, request: FuzzRequest) => {
    const size = found.size;
    found.add(`${rule} ${nameOf(stack, request) ?? request.family}`);
    return found.size > size;
  };
  let next = 0;
  const line = async () => {
    while (next < requests && !isOver() && report.findings.length < FINDINGS_MAX) {
      const index = next;
      next += 1;
      const request = makeRequest(making, seed, index);
      const answer = await send(request);
      const wasShed = isShed(answer, stack);
      note(report, request, answer, wasShed);
      let [problem = null] = problemsOf(request, answer, stack);
      if (problem?.rule === "late") {
        [problem = null] = problemsOf(request, await send(request), stack);
        if (problem === null) report.lateOnce += 1;
      }
      const lasting = shed.problemAfter(request, answer, wasShed);
      if (lasting !== null) report.findings.push({ index, ...lasting, request });
      if (problem !== null && isNew(problem, request))
        report.findings.push({ index, ...(await smallest(request, problem, send, stack)) });
      await onProgress(report);
    }
  };
  await Promise.all(Array.from({ length: lines }, line));
  return report;
}

/** The address as its contract names it; null for what is at no address of ours. */
function nameOf({ doors }: FuzzedStack, { raw, method, path }: FuzzRequest): string | null {
  const door = raw ? undefined : doorAt(doors, method, path);
  return door ? `${door.method} ${door.prefix}${door.path}` : null;
}

/** Sees what is unavailable for longer than a moment: no single answer of 503 says so. */
class ShedWatch {
  private inARow = 0;
  private readonly ofDoor = new Map<string, { shed: number; hasAnswered: boolean }>();
  constructor(private readonly stack: FuzzedStack) {}

  problemAfter(request: FuzzRequest, answer: FuzzAnswer, wasShed: boolean): Problem | null {
    if (isAbsentOutside(answer.text)) return null;
    this.inARow = wasShed ? this.inARow + 1 : 0;
    if (this.inARow === SHED_IN_A_ROW_MAX)
      return { rule: "unavailable", text: `${SHED_IN_A_ROW_MAX} answers in a row said to retry later` };
    const name = nameOf(this.stack, request);
    if (name === null || !this.stack.hasMarket) return null;
    const seen = this.ofDoor.get(name) ?? { shed: 0, hasAnswered: false };
    this.ofDoor.set(name, seen);
    if (wasShed) seen.shed += 1;
    else if (answer.status < 300) seen.hasAnswered = true;
    return seen.shed === SHED_OF_A_DOOR_MAX && !seen.hasAnswered
      ? { rule: "unavailable", text: `${name} said ${seen.shed} times to retry later, and nothing else` }
      : null;
  }
}

function note(report: FuzzReport, { family }: FuzzRequest, answer: FuzzAnswer, wasShed: boolean): void {
  report.sent += 1;
  report.families[family] = (report.families[family] ?? 0) + 1;
  const status = answer.status === 0 ? "closed" : String(answer.status);
  report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  if (wasShed) report.shed += 1;
  report.slowestMs = Math.max(report.slowestMs, answer.durationMs);
}

async function smallest(request: FuzzRequest, problem: Problem, send: Send, stack: FuzzedStack) {
  const small = await shrink(request, async (smaller) => {
    const found = problemsOf(smaller, await send(smaller), stack);
    return found.some(({ rule }) => rule === problem.rule);
  });
  return { ...problem, request: small };
}

/** For people: what was wrong, and what was sent. */
export const describeFinding = ({ index, rule, text, request }: Finding) =>
  `${index}: ${rule}: ${text}\n${describeRequest(request)}`;
