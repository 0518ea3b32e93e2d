import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const text = readFileSync("docs/security.md", "utf8");
const named = [...text.matchAll(/`([^`\s]+\.(?:tsx?|mjs|md))`/g)].map(([, file = ""]) => file);

it("claims nothing without a file that is there", () => {
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((file) => !existsSync(file))).toEqual([]);
});

it("leaves no chapter out", () => {
  const missing = Array.from({ length: 17 }, (_, index) => `**V${index + 1}**`).filter(
    (chapter) => !text.includes(chapter),
  );
  expect(missing).toEqual([]);
});

it("has a proof or a document in every row", () => {
  const chapters = text.slice(text.indexOf("## Chapter by chapter"), text.indexOf("## Deviations"));
  const rows = chapters
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ASVS") && !line.startsWith("| ---"));
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !/(`[^`]+\.(tsx?|mjs|md)`|_this document_)[^|]*\|$/.test(row))).toEqual([]);
});
