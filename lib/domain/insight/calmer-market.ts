import { besideLine } from "../beside-line.ts";
import type { RegimeView } from "../engine/plan.ts";
import type { RegimeLabel } from "../enums.ts";
import { upTo } from "../gates/texts.ts";
import type { Policy } from "../policy.ts";
import { type RegimeWay, waysTo } from "../screening/regime-distance.ts";

/** As fractions of the readings: how far they have to move. */
const lengthOf = ({ spyAbove, vixBelow }: RegimeWay, spyClose: number, vix: number): number =>
  (spyAbove === null ? 0 : spyAbove / spyClose - 1) + (vixBelow === null ? 0 : 1 - vixBelow / vix);

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
  if (spyClose === null || spyMa20 === null || spyMa50 === null) return "SPY and its averages are known again";
  if (vix === null) return "the VIX is known again";
  const wanted: RegimeLabel[] = target === "risk_on" ? ["risk_on"] : ["neutral", "risk_on"];
  const [nearest] = waysTo({ vix, spyClose, spyMa20, spyMa50 }, wanted, policy).sort(
    (a, b) => lengthOf(a, spyClose, vix) - lengthOf(b, spyClose, vix),
  );
  const { spyAbove, vixBelow } = nearest ?? { spyAbove: null, vixBelow: null };
  const texts = [
    spyAbove === null
      ? null
      : `SPY closes above $${upTo(spyAbove, 2)} (${besideLine(100 * (spyAbove / spyClose - 1), 0, 1)[0]}% away)`,
    vixBelow === null ? null : `the VIX closes below ${vixBelow} (now ${besideLine(vix, vixBelow, 1)[0]})`,
  ].filter((text) => text !== null);
  return texts.length === 0 ? "the calmer readings of the last closes have held" : texts.join(" and ");
}
