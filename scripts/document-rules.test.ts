import { describe, expect, it } from "vitest";
import { codesOfTests, FAULTS, faultProblems, mutantProblems, securityProblems } from "./document-rules.ts";

describe("codes of tests", () => {
  const codes = (text: string) => [...codesOfTests("example.test.ts", text)];

  it("stand at the end of the name, one or several, of every form of test", () => {
    expect(codes('it("is safe (B1)", run);')).toEqual(["B1"]);
    expect(codes('it.each<Row>(rows)("is safe (B1) (W9)", run);')).toEqual(["B1", "W9"]);
    expect(codes("test(`${name} is safe (M2)`, run);")).toEqual(["M2"]);
  });

  it("count neither in the middle of a name nor outside of one", () => {
    expect(codes('it("(B1) is safe", run); // (B2)')).toEqual([]);
    expect(codes('describe("is safe (B1)", run);')).toEqual([]);
  });
});

describe("docs/faults.md", () => {
  const FILE = "lib/example.test.ts";
  const row = (code: string, proof = `\`${FILE}\``) => `| ${code} | a fault | what must follow | ${proof} |`;
  const document = (change: (rows: string[]) => string[] = (rows) => rows) =>
    [` ${FAULTS.length} of them have such a test`, ...change(FAULTS.map((code) => row(code)))].join("\n");
  const tests = (codes: string[] = FAULTS) => new Map([[FILE, new Set(codes)]]);

  it("is right where rows and tests agree", () => {
    expect(FAULTS).toHaveLength(107);
    expect(faultProblems(document(), tests())).toEqual([]);
  });

  it.each([
    ["a row is missing", (rows: string[]) => rows.slice(0, -1)],
    ["rows are out of order", (rows: string[]) => [...rows].reverse()],
    ["a row stands twice", (rows: string[]) => [...rows, row("B1")]],
  ])("is wrong where %s", (_what, change) => {
    expect(faultProblems(document(change), tests())).toContain(
      "the rows are not the 107 faults of the model, each once and in its order",
    );
  });

  it("is wrong where a row is not in words", () => {
    const change = (rows: string[]) => rows.map((each) => each.replace("| B1 | a fault |", "| B1 |  |"));
    expect(faultProblems(document(change), tests())).toEqual(["B1: fault, required behaviour or proof is empty"]);
  });

  it("is wrong where a named test does not end in the code, and counts what is tested", () => {
    expect(faultProblems(document(), tests(FAULTS.filter((code) => code !== "B1")))).toEqual([
      `B1: no test in ${FILE} ends in (B1)`,
      "the document does not say that 106 of them have such a test",
    ]);
  });

  it("is wrong where a tested fault is not listed, or has neither a test nor a reason", () => {
    const change = (rows: string[]) => rows.map((each) => (each.startsWith("| B1 |") ? row("B1", "none") : each));
    expect(faultProblems(document(change), tests())).toEqual([
      "B1: a test ends in it, no row names one",
      "B1: neither a test nor a reason for having none",
    ]);
  });

  it("is wrong where too few faults are tested", () => {
    expect(faultProblems(document(), tests(FAULTS.slice(0, 71)))).toContain("71 faults have a test, 72 are the least");
  });
});

describe("docs/security.md", () => {
  const rows = Array.from({ length: 51 }, (_, index) => `| V1.${index} | met | \`file-${index}.ts\` |`);
  const document = (change: (rows: string[]) => string[] = (all) => all) =>
    [
      ...Array.from({ length: 17 }, (_, index) => `**V${index + 1}**`),
      "## Chapter by chapter",
      ...change(rows),
      "## Deviations",
    ].join("\n");

  it("is right where every row has a file that is there", () => {
    expect(securityProblems(document(), () => true)).toEqual([]);
  });

  it("is wrong where a file is gone, a chapter left out, or a row has no proof", () => {
    expect(securityProblems(document(), (file) => file !== "file-7.ts")).toEqual(["file-7.ts is not there"]);
    expect(securityProblems(document().replace("**V3**", ""), () => true)).toEqual(["chapter V3 is left out"]);
    expect(
      securityProblems(
        document((all) => [...all, "| V2.1 | met | surely |"]),
        () => true,
      ),
    ).toEqual(["without a proof: | V2.1 | met | surely |"]);
  });

  it("is wrong where little is left of it", () => {
    expect(
      securityProblems(
        document((all) => all.slice(0, 40)),
        () => true,
      ),
    ).toEqual(["only 40 files are named", "only 40 rows stand in the chapters"]);
  });
});

describe("source mutants", () => {
  const mutant = {
    name: "example",
    file: "a.ts",
    find: "x > 0",
    replace: "x >= 0",
    testFile: "a.test.ts",
    test: "is more",
  };
  const read = (source: string) => (file: string) => (file === "a.ts" ? source : 'it("is more than nothing")');

  it("are right where the source holds what they change, once, and the test is there", () => {
    expect(mutantProblems([mutant], read("if (x > 0)"))).toEqual([]);
  });

  it.each([
    ["is gone", { source: "if (x)", change: {} }, "example: a.ts holds what it changes 0 times, not once"],
    ["is there twice", { source: "x > 0, x > 0", change: {} }, "example: a.ts holds what it changes 2 times, not once"],
    ["stays as it is", { source: "x > 0", change: { replace: "x > 0" } }, "example: changes nothing"],
    ["has no test", { source: "x > 0", change: { test: "is less" } }, 'example: a.test.ts has no test "is less"'],
  ])("are wrong where what they change %s", (_what, { source, change }, problem) => {
    expect(mutantProblems([{ ...mutant, ...change }], read(source))).toEqual([problem]);
  });
});
