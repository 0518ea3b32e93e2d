import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LISTED_ELSEWHERE, NAVIGATION } from "../docs-site/navigation.mjs";
import { linksOf } from "./document-links.ts";
import { documentFiles } from "./documents.ts";

const documents = documentFiles();
const pages = NAVIGATION.flatMap(({ items }) => items);

it("every document is in the site's navigation once, and nothing else", () => {
  expect(documents.length).toBeGreaterThan(30);
  const expected = documents.filter((file) => !LISTED_ELSEWHERE.test(file));
  expect(pages.map(({ file }) => file).sort()).toEqual(expected.sort());
});

it("no page of it has another one's name", () => {
  expect(new Set(pages.map(({ text }) => text)).size).toBe(pages.length);
});

it("what is listed elsewhere is linked from there", () => {
  const list = linksOf(readFileSync("docs/decisions/README.md", "utf8")).map((link) => `docs/decisions/${link}`);
  expect(list).toEqual(documents.filter((file) => LISTED_ELSEWHERE.test(file)).sort());
});

it.each(documents)("%s leads to pages and pictures, which the site has, too", (file) => {
  const others = linksOf(readFileSync(file, "utf8")).filter((link) => !/^[^#]*\.(?:md|png)(?:#|$)|^#/.test(link));
  expect(others).toEqual([]);
});
