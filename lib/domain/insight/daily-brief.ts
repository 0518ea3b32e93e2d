import { money } from "../money.ts";
import { decisionSentences } from "./decision-sentences.ts";
import type { BriefFacts } from "./facts.ts";
import { holdSentences, holdAction } from "./hold-sentences.ts";
import { moneySentences } from "./money-sentences.ts";
import { riskSentences } from "./risk-sentences.ts";
import { counted } from "../counted.ts";
import { partsOf, signed, type Part, type Sentence } from "./sentence-parts.ts";

export interface Brief {
  headline: Part[];
  sentences: Sentence[];
}

/**
 * The brief of a session, from recorded facts alone: what needs a person, what the money did, what was done and why not
 * more, what is at risk now. Every number stands in the facts or is a sum, a difference or a share of them; what is not
 * known is left out.
 */
export function dailyBrief(facts: BriefFacts): Brief {
  return {
    headline: headlineOf(facts),
    sentences: [
      ...holdSentences(facts),
      ...moneySentences(facts),
      ...decisionSentences(facts),
      ...riskSentences(facts),
    ],
  };
}

/** "+$54.34 so far, 2 buys and 1 sell" */
function headlineOf(facts: BriefFacts): Part[] {
  const { result, isClosed, positions } = facts;
  const when = isClosed ? "on the day" : "so far";
  const parts: (string | Part)[] = [];
  if (result !== null) parts.push(...(money(result.pnl).isZero() ? ["No change"] : [signed(result.pnl)]), ` ${when}, `);
  const action = holdAction(facts) ?? tradedAction(facts);
  parts.push(result === null ? action.charAt(0).toUpperCase() + action.slice(1) : action);
  const bare = positions.filter(({ isCovered }) => !isCovered).length;
  if (bare > 0) parts.push(`, ${counted(bare, "position")} not fully covered by stops`);
  return partsOf(parts);
}

function tradedAction({ fills }: BriefFacts): string {
  const buys = fills.filter(({ side }) => side === "BUY").length;
  const sells = fills.length - buys;
  if (buys === 0 && sells === 0) return "nothing bought or sold";
  return [buys, sells]
    .flatMap((count, index) => (count === 0 ? [] : [counted(count, index === 0 ? "buy" : "sell")]))
    .join(" and ");
}
