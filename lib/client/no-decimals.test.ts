import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Decimal } from "./no-decimals.ts";

interface DecimalClass {
  ZERO: { plus: (value: number) => unknown };
  of: (value: string) => { plus: (value: number) => unknown };
}

it("a definition made of decimals goes through, and computing with one fails loudly", () => {
  const { ZERO, of } = Decimal as DecimalClass;
  for (const value of [ZERO, of("0.01")]) expect(() => value.plus(1)).toThrow("Decimals are made on the server");
});

it("no screen reads the file of decimals itself", () => {
  const screens = readdirSync("app", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("api"),
  );
  expect(screens.length).toBeGreaterThan(50);
  expect(screens.filter((file) => /domain\/(money|decimal)\.ts/.test(readFileSync(`app/${file}`, "utf8")))).toEqual([]);
});
