import { GATE_OF } from "../gates/gates.ts";
import { canonicalJson, type KnownTexts } from "./canonical.ts";
import type { CandidateVerdict, GateResult, Plan } from "./plan.ts";

/**
 * What the plans of one cycle have in common for accounts of one strategy and risk level: verdicts on seats without a signal,
 * and results of the gates that read nothing of the account. Plain JSON; stored once, under its hash.
 */
export interface CommonVerdicts {
  silent: CandidateVerdict[];
  results: GateResult[];
}

/** The verdicts of one plan, by reference. Plain JSON. */
export interface OwnVerdicts {
  /** Results that are not common, each once. */
  results: GateResult[];
  /** By rank: the place of a silent verdict, or a verdict whose gates are places among the common results and, behind them, the own ones. */
  candidates: (number | (Omit<CandidateVerdict, "gates"> & { gates: number[] }))[];
}

/** A plan as it is recorded, in canonical JSON. */
export interface PlanTexts {
  /** All of it: what is hashed. */
  whole: string;
  /** Without its candidates. */
  plan: string;
  /** Its `OwnVerdicts`. */
  verdicts: string;
}

/** The texts of values and their places in a list, each text once. */
class Places<T extends object> {
  readonly values: T[] = [];
  private readonly places = new Map<string, number>();

  constructor(private readonly known: KnownTexts) {}

  find(value: T): number | null {
    return this.places.get(this.textOf(value)) ?? null;
  }

  add(value: T): number {
    const place = this.find(value);
    if (place !== null) return place;
    this.places.set(this.textOf(value), this.values.length);
    return this.values.push(value) - 1;
  }

  private textOf(value: T): string {
    let text = this.known.get(value);
    if (text === undefined) this.known.set(value, (text = canonicalJson(value, this.known)));
    return text;
  }
}

/** Of gates that read nothing of the account but its risk level. */
const isCommon = ({ code }: GateResult) => GATE_OF[code].scope === "session" || GATE_OF[code].scope === "seat";

/**
 * Writes plans down by reference to what they have in common. It is made from one plan; another plan of the same cycle, strategy and
 * risk level finds all of its silent verdicts and results of the session and the seats on it. What a plan does not find is written as its own,
 * so that a record is whole in any case.
 */
export class VerdictSheet {
  /** `CommonVerdicts` in canonical JSON. */
  readonly text: string;
  /** Of objects that many plans hold. */
  private readonly known: KnownTexts = new WeakMap();
  private readonly silent = new Places<CandidateVerdict>(this.known);
  private readonly results = new Places<GateResult>(this.known);

  constructor({ candidates }: Pick<Plan, "candidates">) {
    for (const candidate of candidates) {
      if (!candidate.hasSignal) this.silent.add(candidate);
      else for (const result of candidate.gates) if (isCommon(result)) this.results.add(result);
    }
    const common: CommonVerdicts = { silent: this.silent.values, results: this.results.values };
    this.text = canonicalJson(common, this.known);
  }

  write(plan: Plan): PlanTexts {
    const own = new Places<GateResult>(this.known);
    const shared = this.results.values.length;
    const placeOf = (result: GateResult) => this.results.find(result) ?? shared + own.add(result);
    const candidates = plan.candidates.map((candidate) => {
      const place = candidate.hasSignal ? null : this.silent.find(candidate);
      return place ?? { ...candidate, gates: candidate.gates.map(placeOf) };
    });
    const verdicts: OwnVerdicts = { results: own.values, candidates };
    return {
      whole: canonicalJson(plan, this.known),
      plan: canonicalJson({ ...plan, candidates: [] }, this.known),
      verdicts: canonicalJson(verdicts, this.known),
    };
  }
}

/** The verdicts as they were written. Throws where a place holds nothing: the record does not belong to the sheet. */
export function readVerdicts(common: CommonVerdicts, own: OwnVerdicts): CandidateVerdict[] {
  const results = [...common.results, ...own.results];
  return own.candidates.map((candidate) =>
    typeof candidate === "number"
      ? at(common.silent, candidate)
      : { ...candidate, gates: candidate.gates.map((place) => at(results, place)) },
  );
}

function at<T>(values: readonly T[], place: number): T {
  const value = values[place];
  if (value === undefined) throw new RangeError(`verdicts hold no place ${place}`);
  return value;
}
