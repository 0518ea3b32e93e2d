import { type Figure, piecesOf } from "./figures.ts";
import { DIRECTIONS, FORBIDDEN, GLUE, HYPOTHETICAL, IMPERATIVES, JOINTS, NEGATIONS } from "./words-of-text.ts";

/** A sentence of the record, with the figures in it. */
export interface RecordFact {
  id: string;
  /** Whose record it is of: a text speaks of one. */
  subject: string;
  text: string;
  /** Symbols that an "it" in it stands for. */
  about: readonly string[];
}

export interface ToldText {
  text: string;
  cites: readonly string[];
}

/** Why a sentence is not shown. */
export const TEXT_FAULTS = [
  "form",
  "no_citation",
  "unknown_citation",
  "other_subject",
  "promise",
  "advice",
  "unsupported",
  "direction",
  "hypothetical",
  "idle_citation",
] as const;
export type TextFault = (typeof TEXT_FAULTS)[number];

type Token = { word: string } | Figure | { end: true };
const isWord = (token: Token | undefined): token is { word: string } => token !== undefined && "word" in token;
const isFigure = (token: Token | undefined): token is Figure => token !== undefined && "kind" in token;
const isContent = (word: string) => !GLUE.has(word);

function tokensOf(text: string): Token[] {
  return piecesOf(text).flatMap((piece): Token[] => {
    if (!("words" in piece)) return [piece];
    const found = piece.words.match(/[A-Za-z][A-Za-z0-9’'-]*|[,;.!?–—]/g) ?? [];
    return found.map((one): Token =>
      /^[A-Za-z]/.test(one) ? { word: one.toLowerCase().replaceAll("’", "'") } : { end: true },
    );
  });
}

/** One thing that is said: its words and figures, and whether it is denied. */
interface Clause {
  tokens: Token[];
  isNegated: boolean;
}

const hasContent = (tokens: readonly Token[]) => tokens.some((token) => isWord(token) && isContent(token.word));

/** Cut at joints. What has figures alone belongs to what was said before it: the items of a list. */
function clausesOf(tokens: readonly Token[]): Clause[] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    const isJoint = "end" in token || (isWord(token) && JOINTS.has(token.word));
    if (isJoint) parts.push([]);
    // The joint itself is said as well: a "because" has to stand in the record.
    if (!("end" in token)) parts.at(-1)?.push(token);
  }
  const clauses: Token[][] = [];
  for (const part of parts) {
    const before = clauses.at(-1);
    if (before !== undefined && !hasContent(part)) before.push(...part);
    else clauses.push(part);
  }
  return clauses
    .filter((part) => part.length > 0)
    .map((part) => ({
      tokens: part,
      isNegated: part.some((token) => isWord(token) && NEGATIONS.has(token.word)),
    }));
}

interface ReadFact extends RecordFact {
  tokens: Token[];
  clauses: Clause[];
  symbols: Set<string>;
}

function readFact(fact: RecordFact): ReadFact {
  const tokens = tokensOf(fact.text);
  return {
    ...fact,
    tokens,
    clauses: clausesOf(tokens),
    symbols: new Set([...symbolsIn(tokens), ...fact.about]),
  };
}

const symbolsIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => (isFigure(token) && token.kind === "symbol" ? [token.text] : []));

/** Singular and plural of a word are the same, longer words only: "stops" and "stop", not "as" and "a". */
const base = (word: string) => (word.length > 3 ? word.replace(/(?<=[a-z]{3})s$/, "") : word);

/** Whether the fact says the word where it is denied, or where it is not, as the clause does. */
function saysWord(fact: ReadFact, word: string, isNegated: boolean): boolean {
  return fact.clauses.some(
    (clause) =>
      clause.isNegated === isNegated && clause.tokens.some((token) => isWord(token) && base(token.word) === base(word)),
  );
}

/** The nearest word of content on one side, no further than the next figure. */
function contentBeside(tokens: readonly Token[], at: number, step: 1 | -1): string | null {
  for (let i = at + step; ; i += step) {
    const token = tokens[i];
    if (token === undefined || isFigure(token)) return null;
    if (isWord(token) && isContent(token.word)) return base(token.word);
  }
}

/** "19 of 30": both of it, or null. */
function ratioAt(tokens: readonly Token[], at: number): string | null {
  const isOf = (i: number) => {
    const token = tokens[i];
    return isWord(token) && token.word === "of";
  };
  const pair = (a: Token | undefined, b: Token | undefined) =>
    isFigure(a) && isFigure(b) && a.kind === "number" && b.kind === "number" ? `${a.text} of ${b.text}` : null;
  return (
    (isOf(at + 1) ? pair(tokens[at], tokens[at + 2]) : null) ?? (isOf(at - 1) ? pair(tokens[at - 2], tokens[at]) : null)
  );
}

/** The figure stands in the fact, and there it means the same: its nearest words on one side agree. */
function saysFigure(fact: ReadFact, figure: Figure, said: readonly Token[]): boolean {
  const at = said.indexOf(figure);
  return fact.tokens.some((token, place) => {
    if (!isFigure(token) || token.text !== figure.text) return false;
    if (figure.kind === "symbol" || figure.kind === "name") return true;
    if (ratioAt(said, at) !== ratioAt(fact.tokens, place)) return false;
    const sides = ([-1, 1] as const).map((side) => [
      contentBeside(said, at, side),
      contentBeside(fact.tokens, place, side),
    ]);
    const isFree = sides.every(([, there]) => there === null);
    // A word of direction stands for the word of the record where the figure's sign says the same.
    const isDirection = (word: string | null | undefined) =>
      word != null && (figure.kind === "rise" || figure.kind === "fall") && DIRECTIONS[figure.kind].has(word);
    return isFree || sides.some(([here, there]) => here !== null && (here === there || isDirection(here)));
  });
}

/** Directions that a clause's figures have. */
function directionOf(tokens: readonly Token[]): "rise" | "fall" | null {
  const kinds = new Set(tokens.flatMap((token) => (isFigure(token) ? [token.kind] : [])));
  if (kinds.has("rise") === kinds.has("fall")) return null;
  return kinds.has("rise") ? "rise" : "fall";
}

function isSupported({ tokens, isNegated }: Clause, said: readonly Token[], fact: ReadFact): boolean {
  const direction = directionOf(tokens);
  return tokens.every((token) => {
    if (isFigure(token)) return saysFigure(fact, token, said);
    if (!isWord(token) || !isContent(token.word)) return true;
    if (saysWord(fact, token.word, isNegated)) return true;
    return direction !== null && !isNegated && DIRECTIONS[direction].has(token.word);
  });
}

const has = (words: readonly string[], list: ReadonlySet<string>) => words.some((word) => list.has(word));

/** A word of direction beside a figure that says the other, where no cited fact has the word. */
function contradicts({ tokens }: Clause, cited: readonly ReadFact[]): boolean {
  const direction = directionOf(tokens);
  if (direction === null) return false;
  const other = DIRECTIONS[direction === "rise" ? "fall" : "rise"];
  return tokens.some(
    (token) => isWord(token) && other.has(token.word) && !cited.some((fact) => saysWord(fact, token.word, false)),
  );
}

const isSupposed = ({ tokens }: Clause) => tokens.some((token) => isWord(token) && HYPOTHETICAL.has(token.word));

const same = (a: Token, b: Token) =>
  isWord(a)
    ? isWord(b) && isContent(a.word) && base(a.word) === base(b.word)
    : isFigure(a) && isFigure(b) && a.text === b.text;

/** The clause tells as so what its facts only suppose. */
function isSupposedOnly(clause: Clause, facts: readonly ReadFact[]): boolean {
  if (isSupposed(clause)) return false;
  const stated = facts.flatMap((fact) =>
    fact.clauses.filter(({ tokens }) => tokens.some((there) => clause.tokens.some((here) => same(here, there)))),
  );
  return stated.length > 0 && stated.every(isSupposed);
}

const LONGEST = 400;
/** Letters without marks, and the punctuation of our own sentences: look-alikes and markup are none of them. */
const PLAIN = /^[A-Za-z0-9 ,.;:!?'’"“”()$%+\-–—−&/]+$/;
const LINK = /https?:|www\.|\/\/|\]\(/i;

const isForm = (text: string) =>
  text.length >= 3 && text.length <= LONGEST && PLAIN.test(text) && !LINK.test(text) && /[.]$/.test(text);

/**
 * What is wrong with a sentence against the facts that it cites; nothing where it may be shown. Each thing that it says has
 * to be said by one of these facts: every word of content, every figure beside the same words, denied where it is denied
 * there. What cannot be shown to be true is refused: the product's own sentence stands in its place.
 */
export function faultsOf({ text, cites }: ToldText, facts: readonly RecordFact[], subject: string): TextFault[] {
  if (!isForm(text)) return ["form"];
  if (cites.length === 0) return ["no_citation"];
  const found = cites.map((id) => facts.find((fact) => fact.id === id));
  const cited = found.flatMap((fact) => (fact === undefined ? [] : [readFact(fact)]));
  if (cited.length < cites.length) return ["unknown_citation"];
  if (cited.some((fact) => fact.subject !== subject)) return ["other_subject"];
  const tokens = tokensOf(text);
  const words = tokens.flatMap((token) => (isWord(token) ? [token.word] : []));
  const faults: TextFault[] = [];
  if (has(words, FORBIDDEN.promise)) faults.push("promise");
  const [first] = tokens;
  if (has(words, FORBIDDEN.advice) || (isWord(first) && IMPERATIVES.has(first.word))) faults.push("advice");
  return [...faults, ...supportFaults(tokens, words, cited)];
}

function supportFaults(tokens: readonly Token[], words: readonly string[], cited: readonly ReadFact[]): TextFault[] {
  const faults: TextFault[] = [];
  const clauses = clausesOf(tokens);
  const symbols = symbolsIn(tokens);
  const isAbout = ({ symbols: own }: ReadFact) =>
    symbols.length === 0 || own.size === 0 || symbols.some((symbol) => own.has(symbol));
  const backing = clauses.map((clause) => cited.filter((fact) => isAbout(fact) && isSupported(clause, tokens, fact)));
  const says = clauses.some(({ tokens: part }) => hasContent(part) || part.some(isFigure));
  if (!says || backing.some((facts) => facts.length === 0)) faults.push("unsupported");
  if (clauses.some((clause) => contradicts(clause, cited))) faults.push("direction");
  const used = new Set(backing.flat());
  if (clauses.some((clause, place) => isSupposedOnly(clause, backing[place] ?? []))) faults.push("hypothetical");
  if (cited.some((fact) => !used.has(fact))) faults.push("idle_citation");
  return faults;
}
