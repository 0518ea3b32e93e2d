import { percentBeside } from "../beside-line.ts";
import { dollarPriceText } from "../dollars.ts";
import type { MarketView, SymbolView } from "../engine/plan.ts";
import { PRICE_FIGURES, type PriceFigure } from "../enums.ts";
import { easternText } from "../format.ts";
import { money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { Consensus, SourceValue } from "./consensus.ts";
import { judgeSymbol, limitIn } from "./judge-symbol.ts";

const BPS = 10_000;

const SAID = { CLOSE: "closed at", QUOTE: "quotes" } as const satisfies Record<PriceFigure, string>;
const NOUN = { CLOSE: "last close", QUOTE: "price" } as const satisfies Record<PriceFigure, string>;

/** A disagreement as it was found. */
export interface Disagreement {
  figure: PriceFigure;
  values: readonly SourceValue[];
  deviationBps: number;
  limitBps: number;
}

/** "Alpaca closed at $101.20, Finnhub at $103.25: 2.03 % apart, limit 0.50 %" */
export function disagreementText({ figure, values, deviationBps, limitBps }: Disagreement): string {
  const parts = values.map(({ source, value }, i) => {
    const verb = i === 0 ? `${SAID[figure]} ` : figure === "CLOSE" ? "at " : "";
    return `${source} ${verb}${dollarPriceText(money(value))}`;
  });
  const [deviation, limit] = percentBeside(money(deviationBps).div(BPS), [money(limitBps).div(BPS)], {
    digits: 2,
    lineDigits: 2,
  });
  return `${parts.join(", ")}: ${values.length > 2 ? "up to " : ""}${deviation} apart, limit ${limit}`;
}

export const disagreementOf = (
  figure: PriceFigure,
  { counted, deviationBps }: Extract<Consensus, { kind: "disagreement" }>,
  policy: Policy,
): Disagreement => ({ figure, values: counted, deviationBps, limitBps: limitIn(policy, figure) });

/** The same where the sources could not be compared since: it holds until they are seen to agree. */
export const standingText = (found: Disagreement, foundAt: string): string =>
  `${disagreementText(found)}; found ${easternText(foundAt)}, and not seen to agree since`;

function tooFewText(figure: PriceFigure, counted: readonly SourceValue[], quorum: number): string {
  const heard =
    counted.length === 0 ? "none was heard" : `only ${counted.map(({ source }) => source).join(" and ")} was heard`;
  const plural = counted.length > 1 ? heard.replace(" was heard", " were heard") : heard;
  return `${quorum} sources have to agree on the ${NOUN[figure]}, and ${plural}`;
}

function reasonOf(figure: PriceFigure, verdict: Consensus, policy: Policy): Refusal | null {
  if (verdict.kind === "agreed") return null;
  if (verdict.kind === "disagreement")
    return { isMissing: false, text: disagreementText(disagreementOf(figure, verdict, policy)) };
  const { min_agreeing_providers: quorum } = policy.providers_consensus;
  // Where one source is enough, its absence is what the gates of quotes and bars speak of.
  return quorum <= 1 ? null : { isMissing: true, text: tooFewText(figure, verdict.counted, quorum) };
}

/** Why the sources of a symbol do not allow an entry. */
export interface Refusal {
  /** Too little was heard, where otherwise what was heard contradicts itself. */
  isMissing: boolean;
  text: string;
}

/** Null where the sources agree, or where nothing was compared. */
export function refusalBySources(
  view: SymbolView,
  moment: Pick<MarketView, "market" | "at" | "barsThrough">,
  policy: Policy,
): Refusal | null {
  if (view.sources === undefined) return null;
  for (const figure of PRICE_FIGURES) {
    const verdict = judgeSymbol(figure, view, moment, policy);
    const refusal = verdict && reasonOf(figure, verdict, policy);
    if (refusal !== null) return refusal;
  }
  return null;
}
