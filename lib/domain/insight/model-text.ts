import { faultsOf, type RecordFact, type TextFault } from "./check-text.ts";
import { filled, figuresOf, piecesOf, skeletonOf } from "./figures.ts";
import { type Cite, type Part, sentence, type Sentence } from "./sentence-parts.ts";

/** A sentence of a model, with place-holders for its figures, and the facts that it cites. */
export interface TemplateSentence {
  text: string;
  cites: string[];
}

const plain = ({ parts }: Pick<Sentence, "parts">) => parts.map(({ text }) => text).join("");

/**
 * The product's own sentences as the facts of a record, numbered in their order. Where one begins with "It" and names no
 * symbol, it speaks of the symbols of the one before.
 */
export function factsOf(sentences: readonly Sentence[], subject: string): RecordFact[] {
  let about: string[] = [];
  return sentences.map((one, place) => {
    const text = plain(one);
    const own = figuresOf(text).flatMap((figure) => (figure.kind === "symbol" ? [figure.text] : []));
    if (own.length > 0 || !/^Its? /.test(text)) about = own;
    return { id: String(place + 1), subject, text, about };
  });
}

/** The facts as a model sees them: without a figure, a symbol or anything that a person wrote. */
export const skeletonsOf = (facts: readonly RecordFact[]): { id: string; text: string }[] =>
  facts.map(({ id, text }) => ({ id, text: skeletonOf(text, Number(id)).text }));

/** Why a model's text is not shown. */
export type RefusedText = TextFault | "own_figure" | "unknown_figure" | "left_out";

/** Names of averages and lists are words. */
const DIGITS_OF_WORDS = /\b(?:SMA|RSI|Top-)\d+\b/g;

/** A figure that the model wrote itself, even a right one. */
function hasOwnFigure(template: string): boolean {
  const words = template.replace(/\{[^{}]*\}/g, " ").replace(DIGITS_OF_WORDS, " ");
  return /\p{N}/u.test(words) || figuresOf(words).some(({ text }) => text.trim() !== "");
}

/**
 * The templates with the record's figures in them, each checked against the facts that it cites. A fact that no sentence
 * tells of is as wrong as a false one: it may be the one that matters.
 */
export function fillTemplates(
  templates: readonly TemplateSentence[],
  facts: readonly RecordFact[],
  subject: string,
): { sentences: TemplateSentence[] } | { refused: RefusedText } {
  const figures = Object.assign({}, ...facts.map(({ id, text }) => skeletonOf(text, Number(id)).figures)) as Record<
    string,
    string
  >;
  const sentences: TemplateSentence[] = [];
  for (const { text: template, cites } of templates) {
    if (hasOwnFigure(template)) return { refused: "own_figure" };
    const text = filled(template, figures);
    if (text === null) return { refused: "unknown_figure" };
    const [fault] = faultsOf({ text, cites }, facts, subject);
    if (fault !== undefined) return { refused: fault };
    sentences.push({ text, cites });
  }
  const cited = new Set(sentences.flatMap(({ cites }) => cites));
  return facts.every(({ id }) => cited.has(id)) ? { sentences } : { refused: "left_out" };
}

/** As a screen shows them: amounts in pieces of their own, the pages of the facts that each cites. */
export function shownSentences(sentences: readonly TemplateSentence[], own: readonly Sentence[]): Sentence[] {
  return sentences.flatMap(({ text, cites }) => {
    const pages = cites.flatMap((id): Cite[] => own[Number(id) - 1]?.cites ?? []);
    const [first, ...others] = pages;
    return first === undefined ? [] : [sentence(partsOfText(text), [first, ...others])];
  });
}

const partsOfText = (text: string): Part[] =>
  piecesOf(text).map((piece) =>
    "words" in piece
      ? { text: piece.words, isAmount: false }
      : { text: piece.text, isAmount: piece.text.includes("$") },
  );
