import { dateText, quantityText, shareText } from "../format.ts";
import { money, toNumber } from "../money.ts";
import type { GUARDRAILS, RotationAction, RotationProposal } from "../rotation/proposal.ts";
import type { SessionDate } from "../time.ts";
import { counted } from "../counted.ts";
import { type Cite, listed, lowerFirst, plain, quoted, sentence, type Sentence } from "./sentence-parts.ts";

/** What is recorded of a rotation plan: all that its words may speak of. Amounts are USD, over all its accounts. */
export interface RotationStory {
  planId: string;
  sessionDate: SessionDate;
  accounts: number;
  isAdvisoryOnly: boolean;
  actions: readonly RotationAction[];
  metrics: RotationProposal["metrics"];
  tradedUsd: string;
}

/** More actions than this are a count: those that move the most shares are told. */
const ACTIONS_MOST = 6;

/** The rotation plan in words: what goes, what comes and why, what it costs, and whether the guardrails hold. */
export function rotationSentences(story: RotationStory): Sentence[] {
  const cites: Sentence["cites"] = [planPage(story)];
  const { actions, metrics, accounts } = story;
  const say = (text: string) => sentence([text], cites);
  const sells = actions.filter(({ type }) => type === "SELL");
  const buys = actions.filter(({ type }) => type === "BUY");
  const advice = story.isAdvisoryOnly ? ", as a preview that is not executed" : "";
  return [
    say(`The plan of ${dateText(story.sessionDate)} covers ${counted(accounts, "account")}${advice}.`),
    sells.length === 0
      ? say("Nothing is sold.")
      : say(`It sells ${counted(sells.length, "stock")}: ${listed(symbolsOf(sells))}.`),
    buys.length === 0
      ? say("Nothing is bought.")
      : say(`It buys ${counted(buys.length, "stock")}: ${listed(symbolsOf(buys))}.`),
    ...[...actions]
      .sort(bySize)
      .slice(0, ACTIONS_MOST)
      .map((action) => actionSentence(action, cites)),
    sentence(
      [
        `It turns over ${metrics.turnover.turnoverPct.toFixed(1)}% of the equity, `,
        plain(story.tradedUsd),
        costText(metrics.costs),
      ],
      cites,
    ),
    say(exposureText(metrics)),
    ...guardrailSentences(metrics.guardrails, cites),
  ];
}

const costText = ({ estimatedCostsBps: bps }: RotationProposal["metrics"]["costs"]) =>
  bps === null ? ", at a cost that is not known." : `, at an estimated cost of ${bps.toFixed(1)} bps.`;

const planPage = ({ planId }: RotationStory): Cite => ({
  label: "Rotation plan",
  href: `/admin?tab=rotation&plan=${planId}`,
});

const symbolsOf = (actions: readonly RotationAction[]) => actions.map(({ symbol }) => symbol);

function bySize(a: RotationAction, b: RotationAction): number {
  return money(b.changeShares).abs().cmp(money(a.changeShares).abs()) || (a.symbol < b.symbol ? -1 : 1);
}

function actionSentence({ type, symbol, changeShares, reason }: RotationAction, cites: Sentence["cites"]): Sentence {
  const size = quantityText(toNumber(money(changeShares).abs()));
  return sentence(
    [`${type === "SELL" ? "Sells" : "Buys"} ${size} ${symbol}: `, ...quoted(lowerFirst(reason)), "."],
    cites,
  );
}

function exposureText({ currentPortfolio: before, projectedPortfolio: after }: RotationProposal["metrics"]): string {
  const share = (percent: number) => shareText(percent / 100);
  const cash = `cash goes from ${share(before.cashBufferPct)} to ${share(after.cashBufferPct)}`;
  return `Its accounts hold ${counted(before.positionCount, "position")} before and ${after.positionCount} after; ${cash}.`;
}

const GUARDRAIL_TEXT: Record<(typeof GUARDRAILS)[number], string> = {
  allocation: "the size of positions",
  swaps: "the number of swaps",
  turnover: "turnover",
  sector: "sectors",
  cash: "cash",
  gross: "what is invested",
  cost: "costs",
};

function guardrailSentences(
  { allChecksPassed, details }: RotationProposal["metrics"]["guardrails"],
  cites: Sentence["cites"],
): Sentence[] {
  // That they all hold the plan's page says itself.
  if (allChecksPassed) return [];
  const kinds = [...new Set(details.map(({ guardrail }) => GUARDRAIL_TEXT[guardrail]))];
  const counts = `${counted(kinds.length, "guardrail")} ${kinds.length === 1 ? "is" : "are"} violated`;
  return [sentence([`${counts}, on ${listed(kinds)}.`], cites)];
}
