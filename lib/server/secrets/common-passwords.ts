import { isBreached } from "./breached-passwords.ts";

/**
 * The words behind the most common leaked passwords, however they are dressed up ("P@ssw0rd1", "Welcome2024!", "123Qwerty"):
 * what the list of breached passwords holds in some of its forms only.
 */
const COMMON_WORDS = new Set(
  `password passwort passwd pass parola motdepasse contrasena senha welcome welcometo letmein login logmein admin administrator root
  user guest test tester testing demo default changeme changeit secret access master qwerty qwertyuiop qwertz azerty asdf asdfgh
  asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qaz qweasd qweasdzxc qwe qwer wasd abc abcd abcde abcdef abcdefg abcdefgh abcabc aaa aaaa
  aaaaaa aaaaaaaa iloveyou loveyou lovely love loveme sunshine princess dragon monkey football baseball basketball soccer hockey
  liverpool chelsea arsenal barcelona realmadrid manchester superman batman spiderman pokemon starwars starwar naruto minecraft
  michael jordan jessica ashley daniel andrew joshua matthew michelle jennifer thomas robert charlie hunter buster george harley
  killer trustno trustnoone shadow whatever freedom hello helloworld computer internet samsung google facebook twitter linkedin
  apple microsoft windows iphone android summer winter spring autumn january february march april june july august september october
  november december monday tuesday wednesday thursday friday saturday sunday cookie cheese pepper ginger banana orange purple
  flower butterfly rainbow angel babygirl family mother father jesus christ money million dollar bitcoin trading trader trade
  troubador troubadour tradewind alpaca stocks stock invest investor market bullmarket company office corona covid america canada london newyork`.split(
    /\s+/,
  ),
);

const LEET: Record<string, string> = {
  "@": "a",
  "4": "a",
  "0": "o",
  "1": "i",
  "!": "i",
  "3": "e",
  $: "s",
  "5": "s",
  "7": "t",
  "+": "t",
  "8": "b",
};
const unleet = (text: string) => [...text].map((c) => LEET[c] ?? c).join("");

/** More decoration than this is a password of its own. */
const DECORATION_MAX = 6;

/** Digits with up to three letters at one end: the letters add nothing to digits that were breached. */
const DRESSED_DIGITS = /^[a-z]{0,3}(\d{5,})$|^(\d{5,})[a-z]{0,3}$/;

/** True for passwords that guessing lists hold, dressed up or not, and for those made of the person's own email. */
export async function isCommonPassword(password: string, email: string): Promise<boolean> {
  const lower = password.normalize("NFKC").toLowerCase();
  const mailbox = email.split("@")[0] ?? "";
  if (lower === email || (mailbox.length >= 4 && stripped(lower) === stripped(mailbox))) return true;
  if (new Set(lower).size <= 3) return true;
  if (
    [lower, unleet(lower)].some((text) => isDressedWord(text)) ||
    isDressedWord(unleet(stripped(lower)), lower.length - stripped(lower).length)
  )
    return true;
  const withoutSigns = lower.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "");
  const [, atEnd, atStart] = DRESSED_DIGITS.exec(withoutSigns) ?? [];
  const forms = new Set([lower, withoutSigns, unleet(lower), unleet(withoutSigns), atEnd ?? atStart ?? lower]);
  for (const form of forms) if (await isBreached(form)) return true;
  return false;
}

function isDressedWord(text: string, alreadyStripped = 0): boolean {
  const core = stripped(text);
  if (text.length - core.length + alreadyStripped > DECORATION_MAX) return false;
  return (
    COMMON_WORDS.has(core) ||
    (core.length % 2 === 0 &&
      core.length > 0 &&
      COMMON_WORDS.has(core.slice(core.length / 2)) &&
      core.slice(core.length / 2).repeat(2) === core)
  );
}

/** Without digits and signs at either end. */
function stripped(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}
