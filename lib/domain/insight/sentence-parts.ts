import { moneyText, signedMoneyText, signedPercentText } from "../format.ts";
import { type DecimalText, money, type Money, toNumber } from "../money.ts";

/** A piece of a text; amounts are pieces of their own, so that a screen can cover them. */
export interface Part {
  text: string;
  isAmount: boolean;
}

/** A record that a sentence is about, by its page. */
export interface Cite {
  label: string;
  href: string;
}

/** Never without a record: a sentence that cites nothing cannot be made. */
export interface Sentence {
  parts: Part[];
  cites: [Cite, ...Cite[]];
}

type Pieces = (string | Part)[];

const amount = (text: string): Part => ({ text, isAmount: true });

/** USD to the cent. */
export const plain = (value: Money | DecimalText): Part => amount(moneyText(toNumber(money(value))));

/** A change in USD to the cent, with its sign. */
export const signed = (value: Money | DecimalText): Part => amount(signedMoneyText(toNumber(money(value))));

/** " (+1.50%)", nothing where it is not known. */
export const percentIn = (value: number | null): string => (value === null ? "" : ` (${signedPercentText(value)})`);

/** How far a price is from another, of basis points: "0.04%"; null where that reads zero. */
export function distanceIn(bps: number): string | null {
  const text = (Math.abs(bps) / 100).toFixed(2);
  return text === "0.00" ? null : `${text}%`;
}

/** A score of 69.6 is no 70: one decimal, down. */
export const points = (fraction: number): string => String(Math.floor(1000 * fraction + 1e-9) / 10);

/** Pieces in order, neighbours of the same kind made one, empty ones left out. */
export function partsOf(pieces: Pieces): Part[] {
  const parts: Part[] = [];
  for (const word of pieces) {
    const part = typeof word === "string" ? { text: word, isAmount: false } : word;
    const last = parts.at(-1);
    if (part.text === "") continue;
    if (last && last.isAmount === part.isAmount) last.text += part.text;
    else parts.push({ ...part });
  }
  return parts;
}

/** A page is cited once. */
export function sentence(pieces: Pieces, [first, ...others]: [Cite, ...Cite[]]): Sentence {
  const cites: Sentence["cites"] = [first];
  for (const cite of others) if (!cites.some(({ href }) => href === cite.href)) cites.push(cite);
  return { parts: partsOf(pieces), cites };
}

/** "all 10 places are taken", "the only place is taken". */
export const placesTaken = (places: number): string =>
  places === 1 ? "the only place is taken" : `all ${places} places are taken`;

/** More names than this are not read. */
const NAMES_MOST = 6;

/** "A", "A and B", "A, B and C", "A, B, C, D, E and 4 more". Each name once. */
export function listed(names: readonly string[]): string {
  const once = [...new Set(names)];
  const shown = once.length > NAMES_MOST ? once.slice(0, NAMES_MOST - 1) : once;
  const rest = once.length - shown.length;
  const items = rest > 0 ? [...shown, `${rest} more`] : shown;
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

const AMOUNT = /([+-]?\$\d[\d,]*(?:\.\d+)?)/;

/** A person's own words about a reason, as they stand, amounts in them marked and no full stop at the end. */
export function quoted(text: string): Pieces {
  const plain = text.trim().replace(/\.$/, "");
  return plain.split(AMOUNT).map((piece, index) => (index % 2 === 1 ? amount(piece) : piece));
}

/** What a person typed, in quotation marks that it cannot end itself: what stands in them is not sent to a language model. */
export const inQuotes = (typed: string): string => `“${typed.replaceAll("“", "‘").replaceAll("”", "’")}”`;

/** A word in lower letters, or the article: a ticker ("HD", "T") or an indicator ("RSI2") is neither. */
const PLAIN_START = /^(?:\p{Lu}\p{Ll}|A \p{Ll})/u;

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A text as it reads within a sentence: names keep their capitals. */
export const lowerFirst = (text: string): string =>
  PLAIN_START.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
