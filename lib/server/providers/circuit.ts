import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";

/**
 * A circuit breaker for each vendor at each address. A vendor that failed several times in a row is left alone for a moment, a longer one
 * each time; then one call is let through, and whether it is answered decides. Time is the process's own, in ms.
 */
interface Circuit {
  failures: number;
  /** How long it stays open after the next failure. */
  pauseMs: number;
  opensUntil: number;
}

const MOST_FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
/** A market whose source came back is looked at again soon: this is the longest that it waits. */
const LONGEST_PAUSE_MS = 10_000;
/** The call that tries whether a vendor is back has this long; meanwhile no other is made. */
const TRIAL_MS = 15_000;

const circuits = new Map<string, Circuit>();
const keyOf = (vendor: ProviderName, url: URL) => `${vendor} ${url.origin}`;

/** Throws where the vendor is left alone at the moment; lets one call through when its time is over. */
export function passCircuit(vendor: ProviderName, url: URL, now = performance.now()): void {
  const circuit = circuits.get(keyOf(vendor, url));
  if (circuit === undefined || circuit.failures < MOST_FAILURES) return;
  if (now < circuit.opensUntil) {
    const seconds = Math.ceil((circuit.opensUntil - now) / 1_000);
    throw new Failure(
      "unavailable",
      `${vendor} failed ${circuit.failures} times in a row. It is asked again in ${seconds} s.`,
      { cause: { circuit: "open" } },
    );
  }
  circuit.opensUntil = now + TRIAL_MS;
}

/** What became of a call: an answer of any kind closes the circuit. */
export function noteOutcome(vendor: ProviderName, url: URL, isAnswered: boolean, now = performance.now()): void {
  const key = keyOf(vendor, url);
  if (isAnswered) {
    circuits.delete(key);
    return;
  }
  const circuit = circuits.get(key) ?? { failures: 0, pauseMs: FIRST_PAUSE_MS, opensUntil: 0 };
  circuits.set(key, circuit);
  circuit.failures += 1;
  if (circuit.failures < MOST_FAILURES) return;
  circuit.opensUntil = now + circuit.pauseMs;
  circuit.pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * circuit.pauseMs);
}

/** Every vendor is asked again at once: a person wants to know now. */
export function closeCircuits(): void {
  circuits.clear();
}
