import { besideLine } from "../beside-line.ts";
import { type CandidateVerdict, type GateResult, type MarketView, type RegimeView } from "../engine/plan.ts";
import { REGIME_TEXT } from "../engine/reasons.ts";
import type { StrategyName } from "../enums.ts";
import { easternDayText } from "../format.ts";
import { convictionLine, strongFamilies } from "../gates/conviction.ts";
import type { GateCode } from "../gates/gates.ts";
import { counted } from "../counted.ts";
import { dollars } from "../gates/texts.ts";
import type { Policy } from "../policy.ts";
import type { PreferencesView } from "../preferences.ts";
import { firstSessionFrom, sessionIndex } from "../risk/sessions.ts";
import { knownSector } from "../sectors.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import type { SessionDate } from "../time.ts";
import { calmerMarketText } from "./calmer-market.ts";
import { waitsFor } from "./gate-text.ts";
import { placesTaken } from "./sentence-parts.ts";

/** What a decision was made on, as far as a distance needs it. */
export interface DecidedOn {
  market: Pick<MarketView, "regime" | "seats" | "session" | "sessions" | "symbols">;
  policy: Policy;
  preferences: Pick<PreferencesView, "riskLevel" | "strategy">;
}

interface Asked extends DecidedOn {
  candidate: Pick<CandidateVerdict, "symbol" | "confidence">;
  gate: GateResult;
}

/** "Fri 9 Feb 2018": noon is on the same day in New York, whatever the season. */
const dayText = (date: SessionDate) => easternDayText(`${date}T17:00:00.000Z`);

/** The session some sessions after today; null where the calendar of the record does not reach so far. */
function sessionIn({ market: { session, sessions } }: DecidedOn, count: number): SessionDate | null {
  const today = sessionIndex(sessions, session.date);
  return today === null ? null : (sessions[today + count] ?? null);
}

/** A wait that a gate counts in sessions, as the day on which it is over. */
function restUntil(asked: Asked, before: (day: string) => string): string | null {
  const { margin } = asked.gate;
  if (margin === null) return null;
  const free = sessionIn(asked, -margin);
  return free === null ? `it takes ${counted(-margin, "more session")}` : before(dayText(free));
}

function earningsText(asked: Asked): string | null {
  const { market, policy, candidate } = asked;
  const { next, last, estimate, isKnown } = market.symbols[candidate.symbol]?.earnings ?? {
    isKnown: false,
    next: null,
    last: null,
  };
  if (!isKnown || asked.gate.margin === null) return "its earnings calendar is not known";
  const { earnings_sessions_before: before, earnings_sessions_after: after } = policy.pretrade_filters;
  const { sessions, session } = market;
  const today = firstSessionFrom(sessions, session.date);
  const ahead = estimate?.from ?? next;
  const end = estimate?.to ?? next;
  const isAhead =
    ahead !== null && end !== null && end >= session.date && firstSessionFrom(sessions, ahead) - today <= before;
  const report = isAhead ? end : last;
  if (report === null) return null;
  const free = sessions[firstSessionFrom(sessions, report) + after + 1];
  const bought = free === undefined ? "bought only after" : `bought from ${dayText(free)} on at the earliest`;
  if (!isAhead) return `reported on ${dayText(report)}: ${bought}`;
  return estimate
    ? `a report is expected by ${dayText(report)}: ${bought}`
    : `reports on ${dayText(report)}: ${bought}`;
}

/** What the market has to do so that the strategy may buy. */
function regimeText({ market: { regime, symbols }, policy, preferences, candidate }: Asked): string {
  const isAllowed = (label: RegimeView["label"]) =>
    STRATEGIES[preferences.strategy as StrategyName].regime({
      regime: { ...regime, label },
      word: REGIME_TEXT[label],
      features: symbols[candidate.symbol]?.features ?? null,
    }).isAllowed === true;
  if (!isAllowed("risk_on")) {
    const { spyMa200 } = regime;
    return spyMa200 === null
      ? "waits until the long trend of SPY is known"
      : `waits until SPY closes above $${spyMa200.toFixed(2)}, its 200-day average`;
  }
  const target = preferences.riskLevel !== "LOW" && isAllowed("neutral") ? "neutral" : "risk_on";
  // The label follows its readings after some closes: the levels are the soonest.
  return `waits for a calmer market, at the earliest when ${calmerMarketText(regime, target, policy)}`;
}

function convictionText({ market, policy, preferences, candidate }: Asked): string | null {
  const seat = market.seats.find(({ symbol }) => symbol === candidate.symbol);
  if (seat === undefined || candidate.confidence === null) return "a place in the Top-50 is missing";
  const line = convictionLine({ preferences }, policy);
  const needed = policy.signals_confidence.min_families;
  const strong = strongFamilies(seat, policy);
  const [score, asked] = besideLine(100 * candidate.confidence, 100 * line, 1, 1).map(Number);
  const parts = [
    ...(candidate.confidence < line - 1e-12 ? [`score ${score} of the ${asked} it takes`] : []),
    ...(strong < needed ? [`${strong} of its three part scores are high enough, it takes ${needed}`] : []),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

const PLACES = /^(\d+) of (\d+) /;

function placesText({ gate: { detail, margin } }: Asked): string | null {
  const [, open, most] = PLACES.exec(detail) ?? [];
  if (open === undefined || margin === null) return null;
  return Number(open) >= Number(most) ? placesTaken(Number(most)) : `${open} of ${most} places are taken`;
}

function sectorText(asked: Asked): string | null {
  const sector = knownSector(asked.market.symbols[asked.candidate.symbol]?.sector) ?? "stocks of unknown sector";
  const [, open, most] = PLACES.exec(asked.gate.detail) ?? [];
  if (open !== undefined) return `enough of ${sector}: ${open} of ${most} places are taken`;
  const lacking = asked.gate.margin;
  return lacking === null ? null : `enough of ${sector}: ${dollars(-lacking)} too much with this order`;
}

const lacking =
  (say: (amount: string) => string) =>
  ({ gate: { margin } }: Asked) =>
    margin === null || margin >= 0 ? null : say(dollars(-margin));

/** What the gate records of a sale by hand and of a refused purchase; all other rests follow a stop. */
const RESTS: readonly [recorded: string, text: string][] = [
  ["sold by its owner", "sold by you"],
  ["its purchase was refused", "your broker refused its purchase"],
];

/** Gates whose distance can be watched; of the others it is said what they wait for. */
const SAYS: Partial<Record<GateCode, (asked: Asked) => string | null>> = {
  duplicate: ({ gate: { detail } }) => (detail === "already held" ? "already yours" : "a purchase is on its way"),
  earnings_blackout: earningsText,
  regime: regimeText,
  conviction: convictionText,
  max_positions: placesText,
  sector: sectorText,
  position_value: lacking((amount) => `${amount} more than your Max Position Value allows`),
  gross: lacking((amount) => `enough is invested: ${amount} too much with this order`),
  adv: lacking((amount) => `too thinly traded: the order is ${amount} too large`),
  buying_power: lacking((amount) => `not enough cash: ${amount} more is needed`),
  cooldown: (asked) => {
    const [, why] = RESTS.find(([recorded]) => asked.gate.detail.startsWith(recorded)) ?? ["", "sold at a stop"];
    return restUntil(asked, (day) => `${why}: not bought again before ${day}`);
  },
  stop_guard: (asked) =>
    restUntil(asked, (day) => `several positions were stopped out: no new purchases before ${day}`),
  size: ({ gate: { detail } }) => detail,
};

/** What keeps a gate from letting the stock be bought, in what a person can watch: a price, a level, a date, places. */
export function missingText(asked: Asked): string {
  const { code, detail } = asked.gate;
  return SAYS[code]?.(asked) ?? `waits for ${waitsFor(code)} (${detail})`;
}

export interface Missing {
  code: GateCode;
  text: string;
}

/** Without room for an order its size says nothing more. */
export function missingOf(candidate: CandidateVerdict, on: DecidedOn): Missing[] {
  const codes = candidate.failing.length > 1 ? candidate.failing.filter((code) => code !== "size") : candidate.failing;
  return codes.flatMap((code) => {
    const gate = candidate.gates.find((each) => each.code === code);
    return gate === undefined ? [] : [{ code, text: missingText({ ...on, candidate, gate }) }];
  });
}

/** More than this are not near. */
export const CLOSEST_MOST = 5;

/**
 * The stocks that a decision came nearest to buying: fewest rules in the way first, then by rank, as the record has them. What is
 * held or on order already is no purchase to come.
 */
export function closestToBuying(candidates: readonly CandidateVerdict[]): string[] {
  const inTheWay = ({ failing }: CandidateVerdict) =>
    failing.filter((code) => code !== "size" || failing.length === 1).length;
  return candidates
    .filter(({ hasSignal, failing }) => hasSignal && failing.length > 0 && !failing.includes("duplicate"))
    .sort((a, b) => inTheWay(a) - inTheWay(b))
    .slice(0, CLOSEST_MOST)
    .map(({ symbol }) => symbol);
}
