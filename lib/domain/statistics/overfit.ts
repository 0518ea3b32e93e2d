import { besideLine } from "../beside-line.ts";
import { ratioText } from "../format.ts";

/** What may be believed of the best of several runs. */
export interface Overfit {
  /** Runs of the same strategy on the same market, the deleted ones and those of varied settings too. */
  tries: number;
  /** One that is not kept, deleted or of varied settings, has a higher Sharpe ratio than the best one. */
  isBeaten: boolean;
  /** Annual Sharpe ratio of the best one that is still there; null where none has one. */
  sharpe: number | null;
  /** Its deflated Sharpe ratio, a probability; null where it is not defined. */
  deflated: number | null;
  /** Its mean exposure: positions over equity; null where none has a Sharpe ratio. */
  exposure: number | null;
}

/** Below this much invested a Sharpe ratio says more about the cash than about the strategy. */
const LITTLE_INVESTED = 0.2;

/** A ratio does not see how little was at stake: cash has no risk, and lends its calm. */
function exposureText(exposure: number | null): string {
  if (exposure === null) return "";
  const share = `${besideLine(exposure * 100, LITTLE_INVESTED * 100, 1)[0]}%`;
  return exposure < LITTLE_INVESTED
    ? ` Only ${share} of the equity was invested on average: the ratio judges a few small positions, and says nothing about what the same trades would earn at full size.`
    : ` On average ${share} of the equity was invested.`;
}

/** From here on the best of many is taken for more than luck: the usual 95 %. */
const CONVINCING = 0.95;
const MORE_LIKELY_LUCK = 0.5;

/** A probability as it is shown: it never stands at a line that it is below. */
export const probabilityText = (deflated: number): string =>
  besideLine(deflated, deflated >= (CONVINCING + MORE_LIKELY_LUCK) / 2 ? CONVINCING : MORE_LIKELY_LUCK, 2)[0];

function verdict(deflated: number, exposure: number | null): string {
  const isLittle = exposure !== null && exposure < LITTLE_INVESTED;
  if (deflated >= CONVINCING)
    return isLittle ? "That is more than luck alone usually shows." : "Luck alone would rarely do as well.";
  if (deflated >= MORE_LIKELY_LUCK) return "It may be more than luck, but that is not shown.";
  return "Luck is the likelier explanation.";
}

/** The overfit meter in words. A deflated Sharpe ratio is the probability that the true one exceeds the best of that many worthless tries. */
export function overfitText({ tries, isBeaten, sharpe, deflated, exposure }: Overfit): string {
  const tried = tries === 1 ? "One try" : isBeaten ? `The best kept of ${tries} tries` : `The best of ${tries} tries`;
  if (sharpe === null) {
    return tries === 1
      ? "One try, too short to be judged: a Sharpe ratio needs 60 sessions."
      : `${tries} tries, and none of those kept is long enough to be judged: a Sharpe ratio needs 60 sessions.`;
  }
  if (deflated === null)
    return `${tried}: its Sharpe of ${ratioText(sharpe, 2)} cannot be deflated before two tries have a Sharpe ratio.`;
  if (tries === 1) {
    return `One try: its Sharpe of ${ratioText(sharpe, 2)} is above zero with a probability of ${probabilityText(deflated)}. ${verdict(deflated, exposure)}${exposureText(exposure)} Every further try lowers what the best one proves.`;
  }
  return `${tried}: its Sharpe of ${ratioText(sharpe, 2)} deflates to ${probabilityText(deflated)}, the probability that it is more than the best of ${tries} worthless tries would show. ${verdict(deflated, exposure)}${exposureText(exposure)}`;
}
