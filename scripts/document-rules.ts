/** What must hold between the documents and the code they speak of. Each rule answers what is wrong, a line for each finding. */
import ts from "typescript";

/** The codes of the fault model: B1 … B26, M1 … M10 and so on. V: what an outside examination found. */
const FAMILIES = { B: 26, M: 10, D: 9, W: 17, R: 12, P: 10, T: 5, H: 12, V: 6 };
export const FAULTS = Object.entries(FAMILIES).flatMap(([family, count]) =>
  Array.from({ length: count }, (_, index) => `${family}${index + 1}`),
);
const LEAST_COVERED = 72;
const CODE = /\(([BMDWRPTHV]\d{1,2})\)/g;
const CODES_AT_END = /(?:\([BMDWRPTHV]\d{1,2}\) ?)+$/;

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

/** The codes at the ends of the names of a file's tests. */
export function codesOfTests(file: string, text: string): Set<string> {
  const codes = new Set<string>();
  // Most files name no fault: they need not be parsed.
  if (text.search(CODE) < 0) return codes;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTestCall(node.expression)) {
      const name = nameOf(node.arguments[0]) ?? "";
      for (const [, code = ""] of (CODES_AT_END.exec(name)?.[0] ?? "").matchAll(CODE)) codes.add(code);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return codes;
}

/** The rows of docs/faults.md: code, fault, required behaviour, and the test's files or the reason for none. */
const faultRows = (document: string) =>
  document
    .split("\n")
    .filter((line) => /^\| [BMDWRPTHV]\d{1,2} /.test(line))
    .map((line) => {
      const [code = "", fault = "", required = "", proof = ""] = line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      const files = [...proof.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`/g)].map(([, file = ""]) => file);
      return { code, fault, required, proof, files };
    });

/** docs/faults.md and the names of the tests say the same. `codesByFile`: the codes that the tests of each file end in. */
export function faultProblems(document: string, codesByFile: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const rows = faultRows(document);
  const codes = rows.map(({ code }) => code);
  const tested = new Set([...codesByFile.values()].flatMap((each) => [...each]));
  const listed = new Set(rows.filter(({ files }) => files.length > 0).map(({ code }) => code));
  const reasons = new Set([...document.matchAll(/^- \*\*([BMDWRPTHV]\d{1,2})\*\*: \S/gm)].map(([, code]) => code));
  const isInOrder = codes.length === FAULTS.length && codes.every((code, place) => code === FAULTS[place]);
  return [
    ...(isInOrder ? [] : [`the rows are not the ${FAULTS.length} faults of the model, each once and in its order`]),
    ...rows
      .filter(({ fault, required, proof }) => !fault || !required || !proof)
      .map(({ code }) => `${code}: fault, required behaviour or proof is empty`),
    ...rows.flatMap(({ code, files }) =>
      files
        .filter((file) => !codesByFile.get(file)?.has(code))
        .map((file) => `${code}: no test in ${file} ends in (${code})`),
    ),
    ...[...tested].filter((code) => !listed.has(code)).map((code) => `${code}: a test ends in it, no row names one`),
    ...rows
      .filter(({ code, files }) => files.length === 0 && !reasons.has(code))
      .map(({ code }) => `${code}: neither a test nor a reason for having none`),
    ...(tested.size >= LEAST_COVERED ? [] : [`${tested.size} faults have a test, ${LEAST_COVERED} are the least`]),
    ...(document.includes(` ${tested.size} of them have such a test`)
      ? []
      : [`the document does not say that ${tested.size} of them have such a test`]),
  ];
}

const LEAST_FILES = 50;
const LEAST_ROWS = 40;
const CHAPTERS = 17;

/** docs/security.md claims nothing without a file that is there, leaves no chapter out, and has a proof in every row. */
export function securityProblems(document: string, isThere: (file: string) => boolean): string[] {
  const named = [...document.matchAll(/`([^`\s]+\.(?:tsx?|mjs|md))`/g)].map(([, file = ""]) => file);
  const missing = Array.from({ length: CHAPTERS }, (_, index) => `V${index + 1}`).filter(
    (chapter) => !document.includes(`**${chapter}**`),
  );
  const chapters = document.slice(
    document.indexOf("## Chapter by chapter"),
    Math.max(0, document.indexOf("## Deviations")),
  );
  const rows = chapters
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ASVS") && !line.startsWith("| ---"));
  return [
    ...(named.length > LEAST_FILES ? [] : [`only ${named.length} files are named`]),
    ...[...new Set(named)].filter((file) => !isThere(file)).map((file) => `${file} is not there`),
    ...missing.map((chapter) => `chapter ${chapter} is left out`),
    ...(rows.length > LEAST_ROWS ? [] : [`only ${rows.length} rows stand in the chapters`]),
    ...rows
      .filter((row) => !/(`[^`]+\.(tsx?|mjs|md)`|_this document_)[^|]*\|$/.test(row))
      .map((row) => `without a proof: ${row}`),
  ];
}

export interface Mutant {
  name: string;
  file: string;
  find: string;
  replace: string;
  testFile: string;
  /** The beginning of the name of the test that must fail. */
  test: string;
}

/** Each source mutant changes what the source holds, in one place, and its test is there by name. */
export function mutantProblems(mutants: readonly Mutant[], read: (file: string) => string): string[] {
  return mutants.flatMap(({ name, file, find, replace, testFile, test }) => {
    const times = read(file).split(find).length - 1;
    const sentence = test.replace(/ thrown between .*$/, "");
    return [
      ...(times === 1 ? [] : [`${name}: ${file} holds what it changes ${times} times, not once`]),
      ...(replace === find ? [`${name}: changes nothing`] : []),
      ...(read(testFile).includes(sentence) ? [] : [`${name}: ${testFile} has no test "${sentence}"`]),
    ];
  });
}
