import { moneyText, quantityText as number } from "../format.ts";

/** "2%", "0.5%"; what rounds to nothing says so. */
function partText(part: number): string {
  const tenths = Math.round(1_000 * part) / 10;
  return tenths === 0 ? "less than 0.1%" : `${number(tenths)}%`;
}

/** A Default Order Size beside what bounds it, USD; empty where nothing was typed that is an amount. */
export function orderSizeText(size: number, most: number, account: { equity: number; label: string } | null): string {
  if (!(size > 0)) return "";
  const parts = [
    ...(most > 0 && size <= most ? [`${partText(size / most)} of your Max Position Value`] : []),
    ...(account !== null && account.equity > 0 ? [`${partText(size / account.equity)} of ${account.label}`] : []),
  ];
  return parts.length === 0 ? "" : `${moneyText(size)} is ${parts.join(" and ")}.`;
}
