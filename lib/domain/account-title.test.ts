import { expect, it } from "vitest";
import { accountTitle } from "./account-title.ts";

const ACCOUNT = {
  id: "0192f0c1-2b3c-7d4e-8f90-00003f2a9c1e",
  name: null,
  broker: "ALPACA",
  keyPrefix: null,
  accountNumberEnd: null,
} as const;

it("an account is called by its name, else by its key, its number or its id, so that two without a name are told apart", () => {
  expect(accountTitle({ ...ACCOUNT, name: "Main", keyPrefix: "PKABCDEF", accountNumberEnd: "4821" })).toBe("Main");
  expect(accountTitle({ ...ACCOUNT, keyPrefix: "PKABCDEF", accountNumberEnd: "4821" })).toBe(
    "Alpaca account PKABCDEF…",
  );
  expect(accountTitle({ ...ACCOUNT, accountNumberEnd: "4821" })).toBe("Alpaca account …4821");
  expect(accountTitle(ACCOUNT)).toBe("Alpaca account 3f2a9c1e");
  expect(accountTitle({ ...ACCOUNT, broker: "PRACTICE" })).toBe("Practice account 3f2a9c1e");
});
