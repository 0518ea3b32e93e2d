import type { IndexMove } from "../../exchange/market/generated.ts";
import { normal, randomOf, seedOf } from "../../exchange/market/seeded.ts";
import type { SessionDate } from "../../domain/time.ts";

/** The session on which the index loses 12 %, with a VIX above 60 at its close. */
export const CRASH: SessionDate = "2020-03-16";
/** The first session of the decline that leads to it. */
const DECLINE: SessionDate = "2020-02-24";
/** Its first session with a loss of more than 3 %, by which the regime turns. */
export const SHOCK: SessionDate = "2020-02-25";

/** Daily drift and volatility of the index until a date: a calm rise, an unruly recovery, a calm rise again. */
const PHASES: { until: SessionDate; drift: number; volatility: number }[] = [
  { until: "2020-03-31", drift: 0.0009, volatility: 0.0062 },
  { until: "2020-06-30", drift: 0.0034, volatility: 0.012 },
  { until: "9999-12-31", drift: 0.0009, volatility: 0.0075 },
];

/** The decline, session by session: the day's change in percent, and the part of it at the opening where it matters. */
const FALL: Record<SessionDate, [change: number, opening?: number]> = {
  [DECLINE]: [-2.6],
  [SHOCK]: [-3.4],
  "2020-02-26": [-1.1],
  "2020-02-27": [-3.7],
  "2020-02-28": [-2.2],
  "2020-03-02": [2.7],
  "2020-03-03": [-3.1],
  "2020-03-04": [2.2],
  "2020-03-05": [-2.9],
  "2020-03-06": [-2.0],
  "2020-03-09": [-6.4, -4.5],
  "2020-03-10": [3.3],
  "2020-03-11": [-4.1],
  "2020-03-12": [-8.0, -6.2],
  "2020-03-13": [7.0, 5.4],
  [CRASH]: [-12.0, -7.0],
  "2020-03-17": [4.0],
  "2020-03-18": [-4.4],
  "2020-03-19": [1.0],
  "2020-03-20": [-3.6],
  "2020-03-23": [-2.4],
  "2020-03-24": [6.0],
  "2020-03-25": [2.0],
  "2020-03-26": [3.9],
  "2020-03-27": [-2.8],
  "2020-03-30": [2.5],
  "2020-03-31": [-1.2],
};

const logOf = (percent: number) => Math.log(1 + percent / 100);

/** What the index does in a session. The same seed gives the same path. */
export function indexPath(seed: number): (date: SessionDate) => IndexMove {
  return (date) => {
    const fall = FALL[date];
    if (fall !== undefined) {
      const [change, opening] = fall;
      return { move: logOf(change), ...(opening !== undefined && { overnight: logOf(opening) }) };
    }
    const { drift, volatility } = PHASES.find(({ until }) => date <= until)!;
    return { move: drift + volatility * normal(randomOf(seedOf(seed, "index", date))) };
  };
}
