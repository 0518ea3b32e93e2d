import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as standIn from "./no-schemas.ts";

const CONTRACTS = "lib/contracts";
const contracts = readdirSync(CONTRACTS).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
const texts = contracts.map((file) => readFileSync(`${CONTRACTS}/${file}`, "utf8"));

it("the stand-in has every word by which the contracts define schemas, and no other", () => {
  expect(texts.length).toBeGreaterThan(10);
  const types = ["input", "output"];
  const words = texts.flatMap((text) => [...text.matchAll(/\bz\.([a-z]\w*)(?=[(.<])/g)].map(([, word]) => word ?? ""));
  expect(Object.keys(standIn).sort()).toEqual([...new Set(words)].filter((word) => !types.includes(word)).sort());
});

it("a definition goes through, and a check fails loudly", () => {
  const define = standIn as unknown as Record<
    string,
    (...of: unknown[]) => { min: () => unknown; safeParse: () => void }
  >;
  const schema = define.object?.({ name: define.string?.().min() });
  expect(schema).toBeTypeOf("function");
  expect(() => schema?.safeParse()).toThrow("Schemas check nothing in the browser");
});

it("no screen asks a schema to check anything", () => {
  const screens = readdirSync("app", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("api"),
  );
  expect(screens.length).toBeGreaterThan(50);
  expect(
    screens.filter((file) => /\.safeParse|\.(input|output)\.parse/.test(readFileSync(`app/${file}`, "utf8"))),
  ).toEqual([]);
});
