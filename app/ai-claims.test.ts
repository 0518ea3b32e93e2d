import fs from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { WrittenBy } from "./_ui/explanation-card.tsx";

/** A claim that something here is written or decided by artificial intelligence. */
const CLAIM = /(?<!\[)\bA\.?I\b|[Aa]rtificial intelligence|[Mm]achine learning|[Nn]eural net|\bGPT\b|\bLLM\b/;
const ROOMS = ["app", "emails", "lib"];

/** Whose words reach a person: pages, mails, and what services and the domain put into sentences. */
const files = ROOMS.flatMap((room) =>
  fs.readdirSync(room, { recursive: true, encoding: "utf8" }).map((file) => `${room}/${file}`),
)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^lib\/(generated|proof|exchange)\//.test(file))
  .sort();

/** Lines of code, without those that are a comment. */
const linesOf = (file: string) =>
  fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line));

it("AI is claimed on the public pages that name the feature, and nowhere else: no signed-in page, mail or sentence of the product does", () => {
  const claiming = files.filter((file) => linesOf(file).some((line) => CLAIM.test(line)));
  expect(files.length).toBeGreaterThan(500);
  expect(claiming).toEqual([
    // A question, whose answer says no.
    "app/(public)/landing-sections.tsx",
    "app/(public)/learn-more/about.tsx",
    "app/(public)/learn-more/page.tsx",
    "app/(public)/page.tsx",
    "app/_ui/legal/disclaimers.ts",
    "app/layout.tsx",
  ]);
});

it("the page that explains the AI says that a model writes only where one is connected, and that each text says who wrote it", () => {
  const page = fs.readFileSync("app/(public)/learn-more/about.tsx", "utf8").replace(/\s+/g, " ");
  expect(page).toContain("Where the operator has connected a language model, it may word these texts");
  expect(page).toContain("Each text says which of the two wrote it");
});

it("under a text its writer is named: a model where one wrote it, and else that none was used", () => {
  const foot = (writer: "TRADEWIND" | "MODEL", model: string | null) =>
    renderToStaticMarkup(createElement(WrittenBy, { explanation: { writer, model } }));
  expect(foot("MODEL", "the-model")).toContain("Written by the-model from your records, checked.");
  for (const none of [foot("TRADEWIND", null), foot("TRADEWIND", "the-model"), foot("MODEL", null)]) {
    expect(none).toContain("Written by Tradewind from your records; no language model was used.");
    expect(none).not.toContain("the-model");
  }
});
