import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Decimal } from "./no-decimals.ts";

interface DecimalClass {
  new (value: number | string): { plus: (value: number) => unknown };
  clone: (settings: object) => DecimalClass;
}

it("a definition made of decimals goes through, and computing with one fails loudly", () => {
  const Exact = (Decimal as DecimalClass).clone({ precision: 40 });
  const zero = new Exact(0);
  expect(() => zero.plus(1)).toThrow("Decimals are made on the server");
});

it("no screen reads the file of decimals itself", () => {
  const screens = readdirSync("app", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("api"),
  );
  expect(screens.length).toBeGreaterThan(50);
  expect(screens.filter((file) => /domain\/money\.ts|decimal\.js/.test(readFileSync(`app/${file}`, "utf8")))).toEqual(
    [],
  );
});
