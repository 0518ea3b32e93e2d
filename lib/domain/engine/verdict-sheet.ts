import { GATE_OF } from "../gates/gates.ts";
import { canonicalJson } from "./canonical.ts";
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

/** Of gates that read nothing of the account but its risk level. */
const isCommon = ({ code }: GateResult) => GATE_OF[code].scope === "session" || GATE_OF[code].scope === "seat";

/** Canonical texts of values and their places in a list, each text once. */
class Places<T extends object> {
  readonly texts: string[] = [];
  private readonly ofText = new Map<string, number>();
  /** Accounts of a session hold the same objects, and so do candidates of an account. */
  private readonly ofValue = new Map<T, number>();

  constructor(private readonly textOf: (value: T) => string) {}

  find(value: T): number | undefined {
    return this.ofValue.get(value) ?? this.ofText.get(this.textOf(value));
  }

  add(value: T): number {
    const known = this.ofValue.get(value);
    if (known !== undefined) return known;
    const text = this.textOf(value);
    let place = this.ofText.get(text);
    if (place === undefined) {
      place = this.texts.push(text) - 1;
      this.ofText.set(text, place);
    }
    this.ofValue.set(value, place);
    return place;
  }
}

/** Canonical JSON of a result, without sorting its keys: there are hundreds in a plan. */
function resultText({ code, passed, isWarning, margin, detail }: GateResult): string {
  return `{"code":"${code}","detail":${canonicalJson(detail)},"isWarning":${isWarning},"margin":${canonicalJson(margin)},"passed":${passed}}`;
}

/**
 * Writes plans down by reference to what they have in common. It is made from one plan; another plan of the same cycle, strategy and
 * risk level finds all of its silent verdicts and results of the session and the seats on it. What a plan does not find is written as its own,
 * so that a record is whole in any case.
 */
export class VerdictSheet {
  /** `CommonVerdicts` in canonical JSON. */
  readonly text: string;
  private readonly silent = new Places<CandidateVerdict>(canonicalJson);
  private readonly results = new Places<GateResult>(resultText);

  constructor({ candidates }: Pick<Plan, "candidates">) {
    for (const candidate of candidates) {
      if (!candidate.hasSignal) this.silent.add(candidate);
      else for (const result of candidate.gates) if (isCommon(result)) this.results.add(result);
    }
    this.text = `{"results":[${this.results.texts.join(",")}],"silent":[${this.silent.texts.join(",")}]}`;
  }

  write({ at, cancels, candidates, ...plan }: Plan): PlanTexts {
    const own = new Places<GateResult>(resultText);
    const shared = this.results.texts.length;
    const placeOf = (result: GateResult) =>
      (isCommon(result) ? this.results.find(result) : undefined) ?? shared + own.add(result);
    const textOf = (place: number) => (place < shared ? this.results.texts[place] : own.texts[place - shared])!;
    const [whole, byReference]: [string[], string[]] = [[], []];
    for (const candidate of candidates) {
      const silent = candidate.hasSignal ? undefined : this.silent.find(candidate);
      if (silent !== undefined) {
        whole.push(this.silent.texts[silent]!);
        byReference.push(String(silent));
        continue;
      }
      const { confidence, failing, gates, ...verdict } = candidate;
      const places = gates.map(placeOf);
      const before = canonicalJson({ confidence, failing }).slice(0, -1);
      const after = canonicalJson(verdict).slice(1);
      whole.push(`${before},"gates":[${places.map(textOf).join(",")}],${after}`);
      byReference.push(`${before},"gates":[${places.join(",")}],${after}`);
    }
    const before = canonicalJson({ at, cancels }).slice(0, -1);
    const after = canonicalJson(plan).slice(1);
    return {
      whole: `${before},"candidates":[${whole.join(",")}],${after}`,
      plan: `${before},"candidates":[],${after}`,
      verdicts: `{"candidates":[${byReference.join(",")}],"results":[${own.texts.join(",")}]}`,
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
