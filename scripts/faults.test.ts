import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** The codes of the fault model: B1 … B26, M1 … M10 and so on. V: what an outside examination found. */
const FAMILIES = { B: 26, M: 10, D: 9, W: 17, R: 12, P: 10, T: 5, H: 12, V: 6 };
const ALL = Object.entries(FAMILIES).flatMap(([family, count]) =>
  Array.from({ length: count }, (_, index) => `${family}${index + 1}`),
);
const LEAST_COVERED = 72;
const CODE = /\(([BMDWRPTHV]\d{1,2})\)/g;
const CODES_AT_END = /(?:\([BMDWRPTHV]\d{1,2}\) ?)+$/;

const FOLDERS = ["app", "bench", "e2e", "emails", "lib", "prisma", "scripts", "workers"];

const testFiles = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => path.posix.join(folder, ...file.split(path.sep))),
).filter((file) => file !== "scripts/faults.test.ts");

/** `it`, `test`, and what is made of them: it.each(rows), it.each<Row>(rows). */
function isTestCall(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === "it" || node.text === "test";
  if (ts.isPropertyAccessExpression(node)) return isTestCall(node.expression);
  return ts.isCallExpression(node) && isTestCall(node.expression);
}

/** What a test is called; a part that is put in later stands as %s. */
function nameOf(node: ts.Expression | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => `%s${span.literal.text}`).join("");
  return null;
}

/** The codes at the ends of a file's test names. */
function codesIn(file: string): Set<string> {
  const codes = new Set<string>();
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestCall(node.expression)) {
      const name = nameOf(node.arguments[0]) ?? "";
      for (const [, code = ""] of (CODES_AT_END.exec(name)?.[0] ?? "").matchAll(CODE)) codes.add(code);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return codes;
}

const byFile = new Map(testFiles.map((file) => [file, codesIn(file)]));
const tested = new Set([...byFile.values()].flatMap((codes) => [...codes]));

/** The rows of docs/faults.md: code, fault, required behaviour, and the test's files or the reason for none. */
const document = readFileSync("docs/faults.md", "utf8");
const rows = document
  .split("\n")
  .filter((line) => /^\| [BMDWRPTHV]\d{1,2} /.test(line))
  .map((line) => {
    const [code = "", fault = "", required = "", proof = ""] = line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim());
    return {
      code,
      fault,
      required,
      files: [...proof.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`/g)].map(([, file = ""]) => file),
      proof,
    };
  });

test("docs/faults.md names every fault of the model once, in its order, in words", () => {
  expect(rows.map(({ code }) => code)).toEqual(ALL);
  expect(rows.filter(({ fault, required, proof }) => !fault || !required || !proof)).toEqual([]);
});

test("each test that the document names is there and ends in the code", () => {
  const wrong = rows.flatMap(({ code, files }) =>
    files.filter((file) => !byFile.get(file)?.has(code)).map((file) => `${code}: no test in ${file} ends in (${code})`),
  );
  expect(wrong).toEqual([]);
});

test("each code at the end of a test's name stands in the document as covered", () => {
  const listed = new Set(rows.filter(({ files }) => files.length > 0).map(({ code }) => code));
  expect([...tested].filter((code) => !listed.has(code))).toEqual([]);
});

test("a fault without a test has its reason in the document", () => {
  const reasons = [...document.matchAll(/^- \*\*([BMDWRPTHV]\d{1,2})\*\*: \S/gm)].map(([, code]) => code);
  const without = rows.filter(({ files }) => files.length === 0).map(({ code }) => code);
  expect(without.filter((code) => !reasons.includes(code))).toEqual([]);
});

test(`at least ${LEAST_COVERED} of the ${ALL.length} faults have a test of their own`, () => {
  expect(ALL.length).toBe(107);
  expect(tested.size).toBeGreaterThanOrEqual(LEAST_COVERED);
  expect(document).toContain(` ${tested.size} of them have such a test`);
});
