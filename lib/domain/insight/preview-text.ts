import { countText, dateText, moneyText, signedMoneyText, signedPercentText } from "../format.ts";

interface Outcome {
  /** USD */
  pnl: number;
  /** A fraction. */
  totalReturn: number;
  purchases: number;
}

export interface TriedSettings {
  sessions: number;
  /** First and last session. */
  from: string;
  to: string;
  draft: Outcome;
  /** Null where the saved settings are the ones that were tried. */
  saved: Outcome | null;
}

const LIMITS = "A test on the past, on whole-day data, starting in cash: it promises nothing.";

/** "27 Jan – 24 Feb 2020", "12 Dec 2019 – 10 Jan 2020", "24 Feb 2020" */
function spanText(from: string, to: string): string {
  if (from === to) return dateText(to);
  const first = dateText(from);
  return `${from.slice(0, 4) === to.slice(0, 4) ? first.replace(/ \d{4}$/, "") : first} – ${dateText(to)}`;
}

const purchasesText = (count: number) =>
  count === 0 ? "no purchases" : count === 1 ? "1 purchase" : `${countText(count)} purchases`;

/** What came of settings that were tried, beside the saved ones, and what that is worth. */
export function previewSentence({ sessions, from, to, draft, saved }: TriedSettings): string {
  const own = saved === null ? "With these settings, which are your saved ones," : "With these settings";
  const past = `${sessions === 1 ? "the last session" : `the last ${sessions} sessions`} (${spanText(from, to)})`;
  const made = `${signedMoneyText(draft.pnl)} (${signedPercentText(100 * draft.totalReturn)}) with ${purchasesText(draft.purchases)}`;
  const beside =
    saved === null
      ? ""
      : `; with your saved settings ${signedMoneyText(saved.pnl)} with ${saved.purchases === 0 ? "none" : countText(saved.purchases)}`;
  return `${own} ${past} would have made ${made}${beside}. ${LIMITS}`;
}

/** What the run begins with: a person's own equity, or an example. */
export const previewBasis = (cash: number, cashOf: string | null): string =>
  cashOf === null
    ? `It starts with ${moneyText(cash)} as an example: none of your accounts has money yet.`
    : `It starts with ${moneyText(cash)}, the equity of ${cashOf}.`;
