/** A sentence of the record: the figures stand in it, or place-holders for them. */
export interface RecordFact {
  /** Its place in the text, from "1". */
  id: string;
  text: string;
}

/** A sentence of a model, with place-holders for its figures, and the facts that it cites. */
export interface TemplateSentence {
  text: string;
  cites: string[];
}

/** Why a model's text is not shown: a fact is not told once and in its place, or something else is said than the facts. */
export type RefusedText = "left_out" | "unsupported";

const OPENING = /^(?:Noted|On record): /;
/** Where one statement ends and the next begins; nothing else may carry an "and" that the record does not have. */
const NEXT = /[.;] (?:[Aa]nd )?/g;
/** Words in capitals are none of these: "IT" is a ticker symbol where "It" is not. */
const CAPITAL = /(?<=^|[;:] )[A-Z](?=[a-z]*(?![A-Za-z\d]))/g;
/** Not before a figure: "the 3 stocks" are all of them. */
const ARTICLE = /(?<=^| )(?:an?|the) (?=[A-Za-z])(?!(?:an?|the) )/g;
/** The sign of the figure says the same. */
const DIRECTION = /(?<=[ (])(?:up (?=\{\d+\.rise_)|down (?=\{\d+\.fall_))/g;
/** The last comma in "{a}, {b}, and {c}". */
const SERIAL_COMMA = /(?<=, \{[^{}]*\}), and (?=\{)/g;

/** What a text says, character by character: all but what cannot change its meaning. */
const contentOf = (text: string): string =>
  text
    .replace(OPENING, "")
    .replaceAll("’", "'")
    .replace(NEXT, "; ")
    .replace(CAPITAL, (letter) => letter.toLowerCase())
    .replace(ARTICLE, "")
    .replace(DIRECTION, "")
    .replace(SERIAL_COMMA, " and ");

/**
 * What is wrong with a told text, null where it may be shown. Both are compared with place-holders in them, so that no figure
 * can take the place of another and no name is judged. Every fact has to be told once and in the order of the record, and each
 * sentence has to say what its facts say: the same words in the same order, with the same marks between them. Thus a denial
 * covers what it covers there, and an "it" stands for what it stands for there. Whatever a text adds, promises or advises is in
 * no fact, and needs no rule of its own.
 */
export function faultOf(told: readonly TemplateSentence[], facts: readonly RecordFact[]): RefusedText | null {
  const places = told.flatMap(({ cites }) => cites);
  if (places.length !== facts.length || facts.some(({ id }, place) => places[place] !== id)) return "left_out";
  const isSaid = ({ text, cites }: TemplateSentence) => {
    const cited = facts.filter(({ id }) => cites.includes(id)).map((fact) => fact.text);
    return cited.length > 0 && contentOf(text) === contentOf(cited.join(" "));
  };
  return told.every(isSaid) ? null : "unsupported";
}
