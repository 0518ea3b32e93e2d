import { expect, it } from "vitest";
import { applyChange, changesOf } from "./how-to.ts";

const fence = (info: string, text: string) => `\`\`\`${info}\n${text}\`\`\``;

it("reads new files and changes, and leaves commands alone", () => {
  const document = [
    "Create `a.ts`:",
    fence("ts a.ts", "one\n"),
    fence("sh", "npm test\n"),
    "In `app/(trader)/b.ts`:",
    fence("diff app/(trader)/b.ts", " x\n+y\n"),
  ].join("\n\n");
  expect(changesOf(document)).toEqual([
    { file: "a.ts", isNew: true, text: "one\n" },
    { file: "app/(trader)/b.ts", isNew: false, text: " x\n+y\n" },
  ]);
});

it("refuses code of a file that the reader is not told of", () => {
  expect(() => changesOf(`Create it:\n\n${fence("ts a.ts", "one\n")}`)).toThrow("the code is of a.ts");
  const twice = `In \`a.ts\`:\n\n${fence("ts a.ts", "one\n")}\n\nand:\n\n${fence("diff a.ts", " x\n")}`;
  expect(() => changesOf(twice)).toThrow("the code is of a.ts");
});

const change = (text: string) => ({ file: "a.ts", isNew: false, text });

it("adds and removes lines where what is kept stands", () => {
  const text = " one\n+two\n three\n@@\n-four\n+4\n";
  expect(applyChange(change(text), "one\nthree\n\nfour\nfive\n")).toBe("one\ntwo\nthree\n\n4\nfive\n");
});

it.each([
  ["it is gone", "two\n", " one\n+x\n", "0 times"],
  ["it stands twice", "one\none\n", " one\n+x\n", "2 times"],
  ["it is a part of a line only", "  one\n", " one\n+x\n", "0 times"],
  ["it adds to nothing", "one\n", "+x\n", "no line says where"],
  ["it changes nothing", "one\n", " one\n", "is not changed"],
  ["a line has no sign", "one\n", "one\n", "neither kept, added nor removed"],
])("refuses a change where %s", (_what, before, text, problem) => {
  expect(() => applyChange(change(text), before)).toThrow(problem);
});

it("refuses a new file that is there, and a change of one that is not", () => {
  const file = { file: "a.ts", isNew: true, text: "one\n" };
  expect(applyChange(file, null)).toBe("one\n");
  expect(() => applyChange(file, "")).toThrow("a.ts is there already");
  expect(() => applyChange(change(" one\n+two\n"), null)).toThrow("a.ts is not there");
});
