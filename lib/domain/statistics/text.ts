import { countText, moneyText, ratioText, shareText, signedPercentText } from "../format.ts";
import type { Statistic } from "./statistics.ts";

const NO_VALUE = "—";

/** A figure as it reads; "—" where it is not defined. */
export function statisticText({ value, unit }: Pick<Statistic, "value" | "unit">): string {
  if (value === null) return NO_VALUE;
  switch (unit) {
    case "USD":
      return moneyText(value);
    case "fraction":
      return signedPercentText(value * 100);
    case "share":
    case "probability":
      return shareText(value);
    case "count":
      return countText(value);
    case "sessions":
      return `${ratioText(value, 1)} sessions`;
    case "ratio":
      return ratioText(value, 2);
  }
}
