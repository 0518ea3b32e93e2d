import { newYorkInstant } from "@/lib/domain/time.ts";
import type { Result, Run } from "./labels.ts";

interface RunLines {
  run: Pick<Run, "from" | "cash">;
  days: readonly Pick<Result["days"][number], "session" | "at" | "equity" | "index">[];
}

/** A run and SPY over it. Both begin with the cash, before the first session's decision. */
export function runLines({ run: { from, cash }, days }: RunLines) {
  const [first] = days;
  const at = newYorkInstant(first?.session ?? from, 9, 30);
  const closes = days.flatMap(({ at: close, index }) => (index === null ? [] : [{ at: close, value: index }]));
  // SPY's first close holds the return of its session already. Where it traded later only, it begins there.
  const start = first === undefined || first.index === null ? [] : [{ at, value: cash }];
  return {
    points: [{ at, equity: cash }, ...days.map(({ at: close, equity }) => ({ at: close, equity }))],
    benchmark: [...start, ...closes],
  };
}
