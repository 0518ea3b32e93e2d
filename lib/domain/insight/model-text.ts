import { faultOf, type RecordFact, type RefusedText, type TemplateSentence } from "./check-text.ts";
import { filled, piecesOf, skeletonOf } from "./figures.ts";
import { type Cite, type Part, sentence, type Sentence } from "./sentence-parts.ts";

/** The product's own sentences as the facts of a record, numbered in their order. */
export const factsOf = (sentences: readonly Sentence[]): RecordFact[] =>
  sentences.map(({ parts }, place) => ({ id: String(place + 1), text: parts.map(({ text }) => text).join("") }));

/** The facts as a model sees them: without a figure, a symbol or anything that a person wrote. */
export const skeletonsOf = (facts: readonly RecordFact[]): RecordFact[] =>
  facts.map(({ id, text }) => ({ id, text: skeletonOf(text, Number(id)).text }));

/** The templates with the record's figures in them, where they say what the facts say. */
export function fillTemplates(
  templates: readonly TemplateSentence[],
  facts: readonly RecordFact[],
): { sentences: TemplateSentence[] } | { refused: RefusedText } {
  const refused = faultOf(templates, skeletonsOf(facts));
  if (refused !== null) return { refused };
  const figures = new Map(facts.flatMap(({ id, text }) => [...skeletonOf(text, Number(id)).figures]));
  return { sentences: templates.map(({ text, cites }) => ({ text: filled(text, figures), cites })) };
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
