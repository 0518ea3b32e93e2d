import { countText, moneyText, signedPercentText } from "../format.ts";
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
      return `${(value * 100).toFixed(1)}%`;
    case "count":
      return countText(value);
    case "sessions":
      return `${value.toFixed(1)} sessions`;
    case "ratio":
      return value.toFixed(2);
  }
}
