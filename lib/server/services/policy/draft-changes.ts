import type { Policy } from "@/lib/domain/policy.ts";
import { policyDifferences } from "@/lib/domain/policy-changes.ts";

export interface ChangedField {
  /** "exits.trend_closes" */
  path: string;
  recorded: number;
  draft: number;
}

/** Fields in which the draft is not the recorded policy. */
export function changedFields(recorded: Policy, draft: Policy): ChangedField[] {
  return policyDifferences(recorded, draft).map(({ path, from, to }) => ({ path, recorded: from, draft: to }));
}

/** Seats, scores and the regime stand in the record as they were; rotation has plans of its own. */
const NOT_DECIDED_AGAIN = /^(selector_top50\.|cadence\.|signals_confidence\.regime_)/;

/** What recorded decisions cannot tell about a draft; `beyond`: the fields by which it looks farther than they (`fieldsBeyond`). */
export function unknownsOf(changed: readonly { path: string }[], beyond: readonly string[]): string[] {
  const unseen = changed.map(({ path }) => path).filter((path) => NOT_DECIDED_AGAIN.test(path));
  return [
    "Every decision starts from the account as it was recorded: what other earlier trades would have left in cash, places and limits is not followed.",
    "Trades that only the draft makes are counted as filled at the decision price; what they would have filled at, and whether, is not known.",
    "They end where their stop or target is seen at a recorded look: prices between looks, and of symbols that were no longer looked at, are not known.",
    "A trade that the draft leaves out counts from its decision price to the price at the look at which the recorded position was gone.",
    "Deposits and withdrawals move both equity curves alike.",
    ...(beyond.length === 0
      ? []
      : [
          `The recorded decisions know less of the past, or of coming reports, than the draft looks at, so that purchases which these fields would forbid may be shown, and sales for time be missing: ${[...beyond].sort().join(", ")}.`,
        ]),
    ...(unseen.length === 0
      ? []
      : [
          `The seats, scores and regime are those that were recorded, so these changes show nothing here: ${unseen.join(", ")}.`,
        ]),
  ];
}
