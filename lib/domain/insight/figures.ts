/**
 * What of a sentence is a figure: amounts, percentages, numbers, dates, times, ticker symbols, and whatever a person typed.
 * A text of figures and words is the form in which a language model is handed facts and answers sentences: `{1.rise_a}` stands
 * for the first figure of fact 1, and the digits stay here.
 */
export type FigureKind = "amount" | "rise" | "fall" | "share" | "number" | "date" | "time" | "symbol" | "name";

export interface Figure {
  kind: FigureKind;
  text: string;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const DATE = `(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\\d{1,2} ${MONTH} \\d{4}|\\d{4}-\\d\\d-\\d\\d`;
const NUMBER = "\\d[\\d,]*(?:\\.\\d+)?";

/** In the order in which they are looked for at one place. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  // What people wrote: names in quotation marks (`inQuotes` leaves none within), and reasons to the end of the sentence.
  ["name", /“[^”]*”|(?<=(?:R|Recorded r)eason: )[^]+(?=\.$)/y],
  ["date", new RegExp(DATE, "y")],
  ["time", /\d\d:\d\d(?::\d\d)?(?: ET)?/y],
  ["change", new RegExp(`[+-]\\$?${NUMBER}(?: ?%)?`, "y")],
  ["amount", new RegExp(`\\$${NUMBER}`, "y")],
  ["share", new RegExp(`${NUMBER} ?%`, "y")],
  // Names of averages, indicators and lists are words with digits in them, not figures.
  ["word", /(?:SMA|RSI|Top-)\d+\b/y],
  ["number", new RegExp(NUMBER, "y")],
  // Capitals within a sentence are ticker symbols, but for the few words that are written so.
  ["word", /(?:ET|VIX|SPY|USD|SEC|NYSE|ID)\b/y],
  ["symbol", /(?<![A-Za-z])[A-Z]{1,5}(?:\.[A-Z])?(?![A-Za-z])/y],
];
/** The one sentence of ours that begins with the article: every other "A" is the ticker symbol. */
const ARTICLE_START = "A round trip ";

function figureAt(text: string, at: number): (Figure & { isWord: boolean }) | null {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined || found === "") continue;
    if (kind === "symbol" && at === 0 && text.startsWith(ARTICLE_START)) return null;
    if (kind === "change") return { kind: found.startsWith("-") ? "fall" : "rise", text: found, isWord: false };
    return { kind: kind as FigureKind, text: found, isWord: kind === "word" };
  }
  return null;
}

export type Piece = { words: string } | Figure;

/** The text cut into words and figures, in order. Joined they are the text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let words = "";
  for (let at = 0; at < text.length;) {
    // Within a word nothing begins: "Q4" and "x100" are no figures of ours.
    const isWithin = at > 0 && /[A-Za-z]/.test(text.charAt(at - 1)) && /[A-Za-z0-9]/.test(text.charAt(at));
    const figure = isWithin ? null : figureAt(text, at);
    if (figure === null || figure.isWord) {
      const step = figure === null ? 1 : figure.text.length;
      words += text.slice(at, at + step);
      at += step;
      continue;
    }
    if (words !== "") pieces.push({ words });
    words = "";
    pieces.push({ kind: figure.kind, text: figure.text });
    at += figure.text.length;
  }
  if (words !== "") pieces.push({ words });
  return pieces;
}

/** "{3.rise_b}": fact, kind and place. */
const letter = (place: number): string =>
  (place >= 26 ? letter(Math.floor(place / 26) - 1) : "") + String.fromCharCode(97 + (place % 26));

export interface Skeleton {
  text: string;
  /** Figure by its place-holder, braces included. */
  figures: Map<string, string>;
}

/** The text with a place-holder for every figure. */
export function skeletonOf(text: string, fact: number): Skeleton {
  const figures = new Map<string, string>();
  const parts = piecesOf(text).map((piece) => {
    if ("words" in piece) return piece.words;
    const key = `{${fact}.${piece.kind}_${letter(figures.size)}}`;
    figures.set(key, piece.text);
    return key;
  });
  return { text: parts.join(""), figures };
}

/** The figures put in. */
export const filled = (text: string, figures: ReadonlyMap<string, string>): string =>
  text.replace(/\{[^{}]*\}/g, (key) => figures.get(key) ?? key);
