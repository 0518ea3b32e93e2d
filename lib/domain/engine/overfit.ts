/** What may be believed of the best of several runs. */
export interface Overfit {
  /** Runs of the same strategy on the same market, the deleted ones too. */
  tries: number;
  /** Annual Sharpe ratio of the best one that is still there; null where none has one. */
  sharpe: number | null;
  /** Its deflated Sharpe ratio, a probability; null where it is not defined. */
  deflated: number | null;
}

/** From here on the best of many is taken for more than luck: the usual 95 %. */
const CONVINCING = 0.95;
const MORE_LIKELY_LUCK = 0.5;

function verdict(deflated: number): string {
  if (deflated >= CONVINCING) return "Luck alone would rarely do as well.";
  if (deflated >= MORE_LIKELY_LUCK) return "It may be more than luck, but that is not shown.";
  return "Luck is the likelier explanation.";
}

/** The overfit meter in words. A deflated Sharpe ratio is the probability that the true one exceeds the best of that many worthless tries. */
export function overfitText({ tries, sharpe, deflated }: Overfit): string {
  const tried = tries === 1 ? "One try" : `The best of ${tries} tries`;
  if (sharpe === null) {
    return tries === 1
      ? "One try, too short to be judged: a Sharpe ratio needs 60 sessions."
      : `${tries} tries, and none of those kept is long enough to be judged: a Sharpe ratio needs 60 sessions.`;
  }
  if (deflated === null)
    return `${tried}: its Sharpe of ${sharpe.toFixed(2)} cannot be deflated before two tries have a Sharpe ratio.`;
  if (tries === 1) {
    return `One try: its Sharpe of ${sharpe.toFixed(2)} is above zero with a probability of ${deflated.toFixed(2)}. ${verdict(deflated)} Every further try lowers what the best one proves.`;
  }
  return `${tried}: its Sharpe of ${sharpe.toFixed(2)} deflates to ${deflated.toFixed(2)}, the probability that it is more than the best of ${tries} worthless tries would show. ${verdict(deflated)}`;
}
