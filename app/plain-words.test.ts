/** Every text that a person can read is written in plain words of the field: idioms that once crept in stay out. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Rooms whose strings reach a screen, a mail or the API's document. */
const ROOMS = [
  "app",
  "emails",
  "lib/admin",
  "lib/client",
  "lib/contracts",
  "lib/domain",
  "lib/server/broker",
  "lib/server/core",
  "lib/server/http",
  "lib/server/limits",
  "lib/server/mail",
  "lib/server/outgoing",
  "lib/server/services",
];
/** A legal text has its own language. */
const OTHER = /\.test\.tsx?$|^lib\/domain\/screening\/|^app\/_ui\/legal\//;

const BANNED: readonly [RegExp, string][] = [
  [/\b(some|no|any|every)body\b/i, "name who it is: the user, an administrator, everyone"],
  [/\bwhoever\b/i, "name who it is"],
  [/\bany more\b/, "no longer"],
  [/\b(source|calendar|quotes?|broker|market) (was|is|were|are) away\b/, "unavailable"],
  // Of prices it stays: a fall goes on, a stock goes on rising.
  [/(?<!\bfall )\b(go|goes|went) on\b(?! (?:to|the|sale|rising))/i, "keep working, continue, resume"],
  [/\bof yours\b/, "your"],
  [/\bgive up\b/i, "abandon"],
  [/\blet (it|an? \w+|the \w+|trading|automation) go on\b/i, "resume"],
  [/\bput aside\b/i, "set aside"],
  [/\bwhich is the most\b/, "which is the maximum"],
  [/\bat work\b/, "open, in progress"],
  [/\b(one's own|oneself)\b/, "your own"],
  [/\b(un)?realised\b/i, "realized, as the specification spells it"],
  [/\bmoney that is not real\b/, "simulated money"],
];

/** Strings, templates and words of elements in a file, without its comments. */
function textsOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[\s;{(,])\/\/[^\n]*/g, "$1");
  const strings = [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => text);
  const words = [...code.matchAll(/>([^<>{}=;]*[A-Za-z] [^<>{}=;]*)[<{]/g)].map(([, text = ""]) => text);
  return [...strings, ...words].filter((text) => /[A-Za-z] [A-Za-z]/.test(text));
}

const flawsIn = (texts: string[]) =>
  texts.flatMap((text) =>
    BANNED.filter(([idiom]) => idiom.test(text)).map(([, instead]) => `${text.slice(0, 160)} (${instead})`),
  );

const files = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" }).map((file) => `${room}/${file}`),
).filter((file) => /\.tsx?$/.test(file) && !OTHER.test(file));

describe("what a person reads", () => {
  it("holds no idiom that was replaced", () => {
    const found = files.flatMap((file) =>
      flawsIn(textsOf(readFileSync(path.join(ROOT, file), "utf8"))).map((flaw) => `${file}: ${flaw}`),
    );
    expect(found).toEqual([]);
  });

  it("says that something is under way with three dots, as the specification does", () => {
    const label = /"[A-Z]\w+ing\b[^"\n]*…"/g;
    const found = files.flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), "utf8").matchAll(label)].map(([text]) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it("was read: strings, templates and words of elements are found, comments are not", () => {
    expect(files.length).toBeGreaterThan(600);
    const sample = `/* Nobody sees this. */\nconst a = "Nobody sees it"; // somebody\nconst b = \`It goes \${x} any more\`;\n<p>The source was away</p>`;
    expect(flawsIn(textsOf(sample))).toHaveLength(3);
  });
});
