import type { AccountState, PositionReview, RegimeView, SeatView } from "../engine/plan.ts";
import type { ExitReason } from "../engine/reasons.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { Signal } from "./signal.ts";

/** What a strategy is asked about the regime; `word` is the regime's own. */
export interface RegimeQuestion {
  regime: RegimeView;
  word: string;
  features: FeatureRow | null;
}

/** Closed bars of a held stock, oldest first, in today's price basis, and what the reviews have counted. */
export interface ExitQuestion {
  closes: Float64Array;
  lows: Float64Array;
  review: Pick<PositionReview, "weakReviews" | "belowTrend">;
  policy: Policy;
}

/** One way in which a strategy sells, as a person can watch it. */
export interface ExitLine {
  /** The next close that meets it, USD; null where no price says it, or too few bars are known. */
  price: number | null;
  /** The side of its line on which it sells. */
  side: "above" | "below";
  /** Behind "sold when"; `at` is the price in words, empty where it is not known. */
  text: (at: string) => string;
}

/** A strategy told to who chooses it, in sentences that name the policy's own numbers. */
export interface StrategyDescription {
  /** What it buys, and how. */
  does: string[];
  /** How often it finds something to buy, and when it buys nothing. */
  trades: string;
  /** How long it keeps what it bought, beside the Profit Target and the stop that every position has. */
  holds: string;
  /** When it does badly. */
  struggles: string;
}

/** Everything in which one strategy differs from another. Multiples of ATR, R the distance of the initial stop. */
export interface Strategy {
  label: string;
  /** "mean-reversion", before a noun. */
  adjective: string;
  describe: (policy: Policy) => StrategyDescription;
  /** All of them must hold for an entry. */
  signal: Signal;
  /** What it ranks its own candidates by; higher is stronger, null when not known. */
  strength: (seat: SeatView, features: FeatureRow | null) => number | null;
  /** True where the strength is a percentile among the eligible universe already, 0 … 100. */
  isStrengthPercentile: boolean;
  /** Whether the regime allows its entries; null when that is not known. */
  regime: (question: RegimeQuestion) => { isAllowed: boolean | null; detail: string };
  /** An entry bids this many ATR below the last close; absent where it pays the ask. */
  bidBelow?: (policy: Policy) => number;
  /** True for entries that are not bought on a later day. */
  isForOneSession: boolean;
  /** The ATR that its stops speak of, in the price basis of the features. */
  atr: (features: FeatureRow) => number | null;
  /** Distance of the initial stop, in ATR. */
  stop: (policy: Policy) => number;
  /** Gross edge that a trade is expected to make, bps. */
  edge: (policy: Policy) => number;
  /** What the size of an entry is multiplied by. */
  sizeScale: (state: AccountState, policy: Policy) => number;
  /** The most positions of this strategy, at all and in one sector; absent where only the account's limits hold. */
  most?: (policy: Policy) => { positions: number; inSector: number };
  /** The trailing stop below the highest close, in ATR, and the gain in R from which it follows; absent where there is none. */
  trail?: (policy: Policy) => { atr: number; fromR: number | null };
  /** Sessions after which a position is sold, unless it has gained so much; absent where time alone sells nothing. */
  time?: (policy: Policy) => { sessions: number; unlessR: number | null };
  /** Why a position is sold on its last closed bar; null to keep it. */
  exit: (review: PositionReview, features: FeatureRow | null, policy: Policy) => ExitReason | null;
  /** The same in words: what `exit` waits for. */
  exitLines: (question: ExitQuestion) => ExitLine[];
}
