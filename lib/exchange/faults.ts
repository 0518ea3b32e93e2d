import { randomUUID } from "node:crypto";
import { type FaultInput, type FaultKind, kindOf, readFault } from "./faults/kinds.ts";
import { fitsFault, type Subject } from "./faults/match.ts";
import { type Random, randomOf, seedOf } from "./market/seeded.ts";

export type { FaultInput } from "./faults/kinds.ts";

/** A fault that was asked for, with how often it may still strike and how often it has. */
export type Fault = FaultInput & { id: string; left: number; struck: number; isActive: boolean };

interface Entry {
  fault: Fault;
  random: Random;
  skip: number;
  /** Wall time of performance.now(), market time in epoch milliseconds. */
  startsAt: number;
  startsAtMarketMs: number;
  endsAt: number;
}

export interface FaultsOptions {
  seed?: number;
  /** Market time in epoch milliseconds. */
  marketMs?: () => number;
}

export interface Faults {
  /** Throws a Refusal that names what is wrong with the input. */
  add(input: FaultInput): Fault;
  remove(id?: string): number;
  list(): Fault[];
  /** The first fault of one of the kinds that fits the occasion; using it up counts. */
  strike(kinds: readonly FaultKind[], method: string, path: string, subject?: Subject): Fault | undefined;
  /** The same without counting, drawing or skipping. */
  active(kind: FaultKind, method: string, path: string, subject?: Subject): Fault | undefined;
  /** Whether any fault is there at all. */
  isAny(): boolean;
  /** Begins what is due; market time has moved on. */
  look(): void;
  /** Called when a fault begins. */
  onBegin: ((fault: Fault) => void) | null;
}

function newEntry(read: FaultInput, random: Random, marketMs: () => number): Entry {
  const count = read.count ?? (kindOf(read.kind).stands === true ? 0 : 1);
  const fault: Fault = {
    ...read,
    id: randomUUID(),
    left: count === 0 ? Infinity : count,
    struck: 0,
    isActive: false,
  };
  return {
    fault,
    random,
    skip: read.skip ?? 0,
    startsAt: performance.now() + (read.after_ms ?? 0),
    startsAtMarketMs: read.after_minutes === undefined ? -Infinity : marketMs() + read.after_minutes * 60_000,
    endsAt: Infinity,
  };
}

const canStrike = (entry: Entry) => entry.fault.left > 0 && entry.fault.isActive && performance.now() < entry.endsAt;

/** Strikes, unless this occasion is skipped or the draw spares it. */
function tryStrike(entry: Entry): boolean {
  const { fault } = entry;
  if (entry.skip > 0) {
    entry.skip -= 1;
    return false;
  }
  if (fault.probability !== undefined && entry.random() >= fault.probability) return false;
  fault.left -= 1;
  fault.struck += 1;
  return true;
}

/** Scripted misbehaviour, in the order it was asked for. The same script over the same requests strikes the same ones. */
export function createFaults(options: FaultsOptions = {}): Faults {
  const { seed = 0, marketMs = () => 0 } = options;
  let entries: Entry[] = [];
  let ordinal = 0;
  const timers = new Map<Entry, NodeJS.Timeout>();

  function begin(entry: Entry): void {
    if (entry.fault.isActive || !entries.includes(entry)) return;
    entry.fault.isActive = true;
    entry.endsAt = entry.fault.for_ms === undefined ? Infinity : performance.now() + entry.fault.for_ms;
    faults.onBegin?.(entry.fault);
  }

  function look(): void {
    const wall = performance.now();
    for (const entry of entries)
      if (!entry.fault.isActive && wall >= entry.startsAt && marketMs() >= entry.startsAtMarketMs) begin(entry);
  }

  const faults: Faults = {
    onBegin: null,
    isAny: () => entries.length > 0,
    look,
    add(input) {
      const read = readFault(input);
      ordinal += 1;
      const entry = newEntry(read, randomOf(read.seed ?? seedOf(seed, "fault", ordinal)), marketMs);
      entries.push(entry);
      if (read.after_ms !== undefined) {
        const timer = setTimeout(() => begin(entry), read.after_ms);
        timers.set(entry, timer.unref());
      } else look();
      return entry.fault;
    },
    remove(id) {
      const before = entries.length;
      const gone = entries.filter((entry) => id === undefined || entry.fault.id === id);
      for (const entry of gone) {
        clearTimeout(timers.get(entry));
        timers.delete(entry);
      }
      entries = entries.filter((entry) => !gone.includes(entry));
      return before - entries.length;
    },
    list: () => entries.map((entry) => entry.fault),
    strike(kinds, method, path, subject = {}) {
      for (const entry of entries) {
        const { fault } = entry;
        if (!kinds.includes(fault.kind) || !canStrike(entry) || !fitsFault(fault, method, path, subject)) continue;
        if (tryStrike(entry)) return fault;
      }
      return undefined;
    },
    active: (kind, method, path, subject = {}) =>
      entries.find(
        (entry) => entry.fault.kind === kind && canStrike(entry) && fitsFault(entry.fault, method, path, subject),
      )?.fault,
  };
  return faults;
}
