import type { RegimeView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { upTo } from "../gates/texts.ts";
import type { Policy } from "../policy.ts";

/** A level that a reading may come to, with the votes that it then casts. */
interface Level {
  votes: number;
  /** What has to happen; null where the reading stays as it is. */
  text: string | null;
  /** How far away it is, as a fraction of the reading. */
  distance: number;
}

/** Where SPY may close: as it did, or above a line at which one of its averages votes higher. */
function levelsOfSpy(close: number, averages: readonly number[], band: number): Level[] {
  const lines = averages.flatMap((average) => [average * (1 - band), average * (1 + band)]);
  const votesAt = (level: number) =>
    averages.reduce(
      (sum, average) => sum + (level > average * (1 + band) ? 1 : level < average * (1 - band) ? -1 : 0),
      0,
    );
  return [
    { votes: votesAt(close), text: null, distance: 0 },
    ...lines
      .filter((line) => line > close)
      .map((line) => {
        const distance = line / close - 1;
        const away = `${(100 * distance).toFixed(1)} %`;
        // On the upper line itself the higher vote is not given yet.
        return {
          votes: votesAt(line * (1 + 1e-9)),
          text: `SPY closes above $${upTo(line, 2)} (${away} away)`,
          distance,
        };
      }),
  ];
}

/** Where the VIX may close: as it did, unless that alone is fear enough, or below one of its lines. */
function levelsOfVix(vix: number, { signals_confidence: rules }: Policy): Level[] {
  const { regime_vix_calm: calm, regime_vix_fear: fear, regime_vix_shock: shock } = rules;
  const below = (line: number, votes: number): Level[] =>
    vix < line
      ? []
      : [{ votes, text: `the VIX closes below ${line} (now ${vix.toFixed(1)})`, distance: 1 - line / vix }];
  const asIs = { votes: vix < calm ? 1 : vix > fear ? -1 : 0, text: null, distance: 0 };
  return [...(vix >= shock ? [] : [asIs]), ...below(shock, -1), ...below(fear, 0), ...below(calm, 1)];
}

/**
 * The nearest way to a calmer market, in levels that a person can watch: "SPY closes above $268.40 (1.2 % away) and the VIX closes
 * below 25 (now 37.3)". Where the readings are there already they have to hold. The averages move with each close: the levels are
 * those of the decision. `target` is the label that lets it buy.
 */
export function calmerMarketText(
  { vix, spyClose, spyMa20, spyMa50 }: RegimeView,
  target: Exclude<RegimeLabel, "risk_off">,
  policy: Policy,
): string {
  const { regime_band: band, regime_vote_line: line } = policy.signals_confidence;
  if (spyClose === null || spyMa50 === null) return "SPY and its averages are known again";
  if (vix === null) return "the VIX is known again";
  const needed = target === "risk_on" ? line : 1 - line;
  const averages = spyMa20 === null ? [spyMa50] : [spyMa20, spyMa50];
  const ways = levelsOfSpy(spyClose, averages, band).flatMap((spy) =>
    levelsOfVix(vix, policy)
      .filter((fear) => spy.votes + fear.votes >= needed)
      .map((fear) => ({
        texts: [spy.text, fear.text].filter((text) => text !== null),
        distance: spy.distance + fear.distance,
      })),
  );
  const [nearest] = ways.sort((a, b) => a.distance - b.distance);
  const texts = nearest?.texts ?? [];
  return texts.length === 0 ? "the calmer readings of the last closes have held" : texts.join(" and ");
}
