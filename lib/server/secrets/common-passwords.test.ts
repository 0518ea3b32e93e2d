import { expect, it } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

const email = "ada.lovelace@example.com";

it.each(
  "Password1 Password123 P@ssw0rd P@ssw0rd1 Passw0rd2024! Welcome1 Welcome2025! Qwerty123 1Qwerty1 Abcd1234 Abc12345 Iloveyou1 Sunshine1 Letmein1 Admin123 Dragon99 Football1 Summer2026 Tradewind1 Aaaaaaa1 PasswordPassword1 Trustno1! Adm1n2024 Ada.Lovelace1".split(
    " ",
  ),
)("%s is refused", (password) => {
  expect(isCommonPassword(password, email)).toBe(true);
});

it.each("Correct-Horse-1 xK9mQw2vLp Summer48213977x Blue7Kettle Tr0ub4dor&3x Ferry9Mountain".split(" "))(
  "%s is taken",
  (password) => {
    expect(isCommonPassword(password, email)).toBe(false);
  },
);
