import { expect, it } from "vitest";
import { accountsApi } from "./accounts.ts";

const KEYS = { alpacaKey: "PKTEST", alpacaSecret: "secret" };
const REQUIRED = "Alpaca API key and secret are required";

const parse = (change: object) => accountsApi.add.input.safeParse({ ...KEYS, ...change });
const saidOf = (change: object) => parse(change).error?.issues[0]?.message ?? null;

it("an account is INDIVIDUAL and PAPER unless something else is chosen, and needs no name", () => {
  expect(parse({}).data).toEqual({ ...KEYS, accountType: "INDIVIDUAL", environment: "PAPER" });
});

it.each([
  ["accountType", ["INDIVIDUAL", "JOINT", "TRUST", "CORPORATE"], ["individual", "IRA", "", null]],
  ["environment", ["PAPER", "LIVE"], ["paper", "PRACTICE", "", null]],
])("its %s is one of the specified ones", (name, taken, refused) => {
  for (const value of taken) expect(saidOf({ [name]: value }), value).toBeNull();
  for (const value of refused) expect(saidOf({ [name]: value }), String(value)).not.toBeNull();
});

it.each(["alpacaKey", "alpacaSecret"])("its %s is required, in the specified words, and has an end", (name) => {
  for (const value of [undefined, null, "", " ", "\t\n"]) expect(saidOf({ [name]: value })).toBe(REQUIRED);
  expect(saidOf({ [name]: "k".repeat(128) })).toBeNull();
  expect(saidOf({ [name]: "k".repeat(129) })).toBe("This is longer than any Alpaca key.");
  for (const value of ["two words", "ключ", "🔑"])
    expect(saidOf({ [name]: value })).toBe("Keys contain only letters and digits.");
});

it("its name has 80 characters at most, of any script", () => {
  for (const name of ["", "W".repeat(80), "حساب 🚀"]) expect(saidOf({ name })).toBeNull();
  expect(saidOf({ name: "W".repeat(81) })).toBe("A name may have 80 characters at most.");
});
