import { describe, expect, it } from "vitest";
import { anchorsOf, commandProblems, linkProblems, linksOf, optionProblems } from "./document-links.ts";

const FENCE = "```";

describe("links of documents", () => {
  it("are read of prose, pictures and markup, not of code or other sites", () => {
    const document = [
      "See [one](a.md), [two](<b.md#c> 'title') and `[no](link.md)`.",
      '![picture](p.png) <img src="q.png" /> <source srcset="r.png" />',
      "[site](https://example.com) [mail](mailto:a@b.c)",
      "[named]: d.md",
      `${FENCE}md`,
      "[in code](e.md)",
      FENCE,
    ].join("\n");
    expect(linksOf(document)).toEqual(["a.md", "b.md#c", "p.png", "d.md", "q.png", "r.png"]);
  });

  it("find headings by the anchors that GitHub makes", () => {
    const document = [
      "# What's `new`?",
      "## Twice",
      "## Twice",
      `${FENCE}sh`,
      "# no heading",
      FENCE,
      "### A [b](c.md)",
    ];
    expect([...anchorsOf(document.join("\n"))]).toEqual(["whats-new", "twice", "twice-1", "a-b"]);
  });

  const FILES = new Map([
    ["docs/a.md", "# A\n## There"],
    ["README.md", "# Top"],
  ]);
  const problems = (text: string) =>
    linkProblems(
      "docs/a.md",
      `${FILES.get("docs/a.md")}\n${text}`,
      (file) => FILES.get(file) ?? null,
      (file) => FILES.has(file) || file === "docs/pictures",
    );

  it("are right where file, folder and heading are there", () => {
    expect(problems("[a](#there) [b](../README.md#top) [c](pictures)")).toEqual([]);
  });

  it.each([
    ["a file is gone", "[x](b.md)", "b.md: there is no docs/b.md"],
    ["a heading is gone", "[x](../README.md#gone)", "../README.md#gone: README.md has no heading #gone"],
    ["its own heading is gone", "[x](#gone)", "#gone: docs/a.md has no heading #gone"],
    ["they leave the checkout", "[x](../../b.md)", "../../b.md leads out of the checkout"],
    ["they begin at the root of a site", "[x](/README.md)", "/README.md leads out of the checkout"],
  ])("are wrong where %s", (_what, text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });
});

describe("commands of documents", () => {
  const commands = { scripts: ["prove", "bench:load", "sbom"], stages: ["unit", "dead-code"], proofs: ["chaos"] };
  const problems = (text: string) => commandProblems(text, commands, (file) => file === "scripts/web.mjs");

  it("are right where they are there, with words and comments behind them", () => {
    const text = [
      "`npm run prove -- chaos`, `npm run bench:…`, `npm run --silent sbom > x`, `npm test -- unit dead-code`",
      "npm run prove -- chaos    only these proofs",
      "npm test -- unit # quick",
      "node --import tsx scripts/web.mjs 3000",
    ];
    expect(problems(text.join("\n"))).toEqual([]);
  });

  it.each([
    ["script", "`npm run gone`", 'there is no script "gone"'],
    ["scripts of a kind", "`npm run gone:…`", 'there is no script "gone:…"'],
    ["stage", "`npm test -- unit e3e`", 'there is no stage "e3e"'],
    ["proof", "npm run prove -- chaos gone    two", 'there is no proof "gone"'],
    ["file", "node prisma/gone.mjs", "there is no file prisma/gone.mjs"],
  ])("are wrong where there is no such %s", (_what, text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });
});

describe("options of commands in documents", () => {
  const source =
    'if (given === "--all") …; parseArgs({ options: { "settle-only": { type: "boolean" }, seed: { type: "string" } } })';
  const problems = (text: string) => optionProblems(text, (script) => (script === "admin" ? source : null));

  it("are right where the program reads them, and of no matter behind a comment or without a program", () => {
    expect(problems("npm run admin -- stop --all --settle-only --seed 7 # --gone")).toEqual([]);
    expect(problems("npm run other -- --gone")).toEqual([]);
  });

  it("are wrong where it does not", () => {
    expect(problems("`npm run admin -- --al --all-of --settle`")).toEqual([
      "npm run admin knows no option --al",
      "npm run admin knows no option --all-of",
      "npm run admin knows no option --settle",
    ]);
  });
});
