/** Whatever the product writes itself: told back it is accepted, and told with another content it is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { storyOfExample } from "@/lib/proof/fixtures/insight.ts";
import { anyProductText, anyTypedText, holdsOf } from "@/lib/proof/fixtures/product-texts.ts";
import { faultOf, type RecordFact, type TemplateSentence } from "./check-text.ts";
import { dailyBrief } from "./daily-brief.ts";
import type { BriefFacts } from "./facts.ts";
import { factsOf, fillTemplates, skeletonsOf } from "./model-text.ts";
import { decisionStorySentences, symbolStorySentences } from "./refusal-sentences.ts";
import type { Sentence } from "./sentence-parts.ts";

const wordForWord = (facts: readonly RecordFact[]): TemplateSentence[] =>
  skeletonsOf(facts).map(({ id, text }) => ({ text, cites: [id] }));

const shown = (told: readonly TemplateSentence[], facts: readonly RecordFact[]) => {
  const made = fillTemplates(told, facts);
  return "sentences" in made ? made.sentences.map(({ text }) => text) : null;
};

/** Of the sentences of a text, with place-holders for their figures. */
const holdsOfText = (check: (facts: RecordFact[], seed: number) => void, numRuns = 150) =>
  fc.assert(
    fc.property(anyProductText, fc.nat(), (sentences, seed) => check(factsOf(sentences), seed)),
    { numRuns },
  );
const holdsOfEach = (check: (own: string, isAccepted: (text: string) => boolean) => void, numRuns = 150) =>
  holdsOfText((facts) => {
    for (const fact of skeletonsOf(facts))
      check(fact.text, (text) => faultOf([{ text, cites: [fact.id] }], [fact]) === null);
  }, numRuns);

/** Words, place-holders and marks, each with the space before it. */
const tokensOf = (text: string): string[] => text.match(/\s*(?:\{[^{}]*\}|[\p{L}\d’'-]+|\S)/gu) ?? [];
const written = (tokens: readonly string[]) => tokens.join("").trim();
const isMark = (token: string) => /^[^\p{L}\d{]$/u.test(token.trim());

/** The content of a text, read in another way than the checker does: token by token. */
function contentOf(text: string): string {
  const tokens = tokensOf(text).map((token) => token.trim().replace(/^;$/, "."));
  const said = tokens.filter((token, place) => {
    const next = tokens[place + 1] ?? "";
    if (/^(?:an?|the|A|An|The)$/.test(token) && !next.startsWith("{")) return false;
    if (/^[Aa]nd$/.test(token) && tokens[place - 1] === ".") return false;
    return !((token === "up" && next.includes(".rise_")) || (token === "down" && next.includes(".fall_")));
  });
  return said.map((token) => token.replace(/^\p{L}/u, (letter) => letter.toLowerCase())).join(" ");
}

describe("the product's own sentences", () => {
  it("are accepted as they stand, sentence by sentence and as one", () =>
    holdsOfText((facts) => {
      const own = facts.map(({ text }) => text);
      const told = wordForWord(facts);
      expect(shown(told, facts)).toEqual(own);
      const whole = { text: told.map(({ text }) => text).join(" "), cites: facts.map(({ id }) => id) };
      expect(shown([whole], facts)).toEqual([own.join(" ")]);
    }));

  it("are accepted joined by a semicolon, without articles and behind an opening", () =>
    holdsOfText((facts) => {
      const whole = wordForWord(facts).map(({ text }) => text.replace(/\.$/, ""));
      const text = `On record: ${whole.join("; and ").replaceAll(/ (?:an?|the) (?=[a-z])/g, " ")}.`;
      expect(shown([{ text, cites: facts.map(({ id }) => id) }], facts)).not.toBeNull();
    }));

  it("lose no fact, tell none twice and keep their order", () =>
    holdsOfText((facts, seed) => {
      const told = wordForWord(facts);
      const place = seed % told.length;
      expect(shown(told.toSpliced(place, 1), facts)).toBeNull();
      expect(shown(told.toSpliced(place, 0, told[place]!), facts)).toBeNull();
      if (told.length > 1) expect(shown([...told.slice(1), told[0]!], facts)).toBeNull();
      if (told.length > 1) expect(shown([told.at(-1)!, ...told.slice(0, -1)], facts)).toBeNull();
    }));

  it("never have two figures or symbols exchanged, within a sentence or between two", () =>
    holdsOfText((facts) => {
      const told = wordForWord(facts);
      const keys = told.flatMap(({ text }) => text.match(/\{[^{}]*\}/g) ?? []);
      for (const [place, key] of keys.entries())
        for (const other of keys.slice(place + 1)) {
          const swapped = (found: string) => (found === key ? other : found === other ? key : found);
          const changed = told.map((one) => ({ ...one, text: one.text.replaceAll(/\{[^{}]*\}/g, swapped) }));
          expect(faultOf(changed, skeletonsOf(facts))).toBe("unsupported");
        }
    }, 20));

  it("never lose or gain a denial or a supposition", () =>
    holdsOfEach((own, isAccepted) => {
      const words = ["not", "no", "nothing", "never", "none", "without", "one of", "would", "if", "to be", "before"];
      const tokens = tokensOf(own);
      for (const [at, token] of tokens.entries()) {
        if (words.includes(token.trim().toLowerCase()))
          expect(isAccepted(written(tokens.toSpliced(at, 1)))).toBe(false);
        for (const word of words) expect(isAccepted(written(tokens.toSpliced(at, 0, ` ${word}`)))).toBe(false);
      }
    }, 60));

  it("never lose a clause or tell it twice", () =>
    holdsOfEach((own, isAccepted) => {
      const clauses = own.match(/[^,;:(]+[,;:(]?/g) ?? [];
      if (clauses.length > 1)
        for (const [at, clause] of clauses.entries()) {
          expect(isAccepted(clauses.toSpliced(at, 1).join("").trim())).toBe(false);
          expect(isAccepted(clauses.toSpliced(at, 0, clause).join("").trim())).toBe(false);
        }
    }));

  it("never have a mark or an “and” moved or exchanged, so that a denial covers what it covered", () =>
    holdsOfEach((own, isAccepted) => {
      const tokens = tokensOf(own);
      for (const [from, token] of tokens.entries()) {
        if (from === tokens.length - 1 || !(isMark(token) || token.trim() === "and")) continue;
        expect(isAccepted(written(tokens.toSpliced(from, 1)))).toBe(false);
        for (const mark of [",", ";", ":", ".", " (", " and", " or"]) {
          const exchanged = written(tokens.toSpliced(from, 1, mark));
          if (isAccepted(exchanged)) expect(contentOf(exchanged)).toBe(contentOf(own));
        }
        for (const to of tokens.keys())
          if (to !== from) {
            const moved = written(tokens.toSpliced(from, 1).toSpliced(to, 0, token));
            if (isAccepted(moved)) expect(contentOf(moved)).toBe(contentOf(own));
          }
      }
    }, 60));

  it("are accepted in no other content, whatever is left out, put in or exchanged", () => {
    let accepted = 0;
    const steps = fc.array(fc.tuple(fc.nat(2), fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });
    const glue = " the, a, and,;,., up, down,,, not, It".split(/,(?=[ ;.,])/);
    fc.assert(
      fc.property(anyProductText, steps, (sentences, changes) => {
        const facts = skeletonsOf(factsOf(sentences));
        const own = facts.map(({ text }) => text).join(" ");
        const words = [...tokensOf(own), ...glue, ...glue, ...glue];
        const tokens = changes.reduce((now: string[], [kind, a, b]) => {
          const word = words[b % words.length]!;
          return now.toSpliced(a % (now.length + 1), kind === 0 ? 0 : 1, ...(kind === 2 ? [] : [word]));
        }, tokensOf(own));
        const told = { text: written(tokens), cites: facts.map(({ id }) => id) };
        if (faultOf([told], facts) !== null) return;
        if (told.text !== own) accepted += 1;
        expect(contentOf(told.text)).toBe(contentOf(own));
      }),
      { numRuns: 4_000 },
    );
    // Else nothing was tried.
    expect(accepted).toBeGreaterThan(20);
  });
});

/** All sentences that hold what a person typed and may be sent. */
function sentencesOf(name: string, reason: string): Sentence[] {
  const nothing = { positions: [], fills: [], rejected: [], working: [], trips: [], decisions: [], cycles: 0 };
  const unknown = { result: null, dayTrades: null, regime: null, slippageBps: null, unknownOrders: 0, parkedOrders: 0 };
  const when = { environment: "PAPER" as const, session: "2020-02-18", isClosed: false, accounts: 2 };
  const day: BriefFacts = { ...when, ...nothing, ...unknown, holds: holdsOf(name, reason) };
  const [off, halted] = [storyOfExample({ automationOff: reason }), storyOfExample({ haltReason: reason })];
  return [
    ...dailyBrief(day).sentences,
    ...[off, halted].flatMap((story) => [
      ...decisionStorySentences(story),
      ...(symbolStorySentences(story, "AAA") ?? []),
    ]),
  ];
}

describe("what a person typed", () => {
  it("is not sent, whatever it is: what is sent is the same for all names and reasons", () => {
    const sent = (name: string, reason: string) => skeletonsOf(factsOf(sentencesOf(name, reason)));
    const plain = sent("Main", "a rest");
    expect(plain.filter(({ text }) => text.includes(".name_")).length).toBeGreaterThanOrEqual(9);
    fc.assert(
      fc.property(anyTypedText, anyTypedText, (name, reason) => {
        expect(sent(name, reason)).toEqual(plain);
      }),
      { numRuns: 300 },
    );
  });

  it("does not keep a text from being shown", () => {
    fc.assert(
      fc.property(anyTypedText, anyTypedText, (name, reason) => {
        const facts = factsOf(sentencesOf(name, reason));
        expect(shown(wordForWord(facts), facts)).toEqual(facts.map(({ text }) => text));
      }),
      { numRuns: 300 },
    );
  });
});
