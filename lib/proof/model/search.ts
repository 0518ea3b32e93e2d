/** Plays many sequences, and makes the first failing one short. */
import { createWorld, type World } from "./world.ts";
import { MOST_EVENTS, play } from "./sequence.ts";
import { spread } from "./random.ts";
import { RULES, type Rules } from "./rules.ts";

export interface Finding {
  /** The integer that plays the sequence again. */
  seed: number;
  /** Sequences played until it was found, itself included. */
  sequences: number;
  violation: string;
  /** The events that it takes. */
  events: number;
  trace: string[];
}

/** Plays sequences until one fails; null when all of them held. `progress` is called for every hundred-thousandth. */
export function search(
  world: World,
  { sequences, seed }: { sequences: number; seed: number },
  progress?: (played: number) => void,
): Finding | null {
  for (let i = 0; i < sequences; i += 1) {
    const one = seedOf(seed, i);
    if (play(world, one) !== null) return { ...shorten(world, one), sequences: i + 1 };
    if (progress && (i + 1) % 100_000 === 0) progress(i + 1);
  }
  return null;
}

/** A world of the protocol, or of one that is changed in one place. */
export function worldOf(change: Partial<Rules> = {}): World {
  return createWorld({ ...RULES, ...change });
}

/** Neighbouring sequences have nothing in common, and no two sequences of a run are the same. */
function seedOf(seed: number, index: number): number {
  return spread(Math.imul(seed, 0x01000193) + index);
}

/** Cut after the event that it needs last, then without each event that it does not need; with the trace of what is left. */
export function shorten(world: World, seed: number): Omit<Finding, "sequences"> {
  let events = 1;
  while (events < MOST_EVENTS && play(world, seed, events) === null) events += 1;
  const skipped = new Set<number>();
  for (let event = events - 1; event >= 0; event -= 1) {
    skipped.add(event);
    if (play(world, seed, events, (at) => skipped.has(at)) === null) skipped.delete(event);
  }
  world.trace = [];
  const violation = play(world, seed, events, (at) => skipped.has(at)) ?? "none";
  const { trace } = world;
  world.trace = null;
  return { seed, violation, events: events - skipped.size, trace };
}
