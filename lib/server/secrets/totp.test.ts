import { Secret } from "otpauth";
import { describe, expect, it } from "vitest";
import { newTotpSecret, stepOfCode, totpUri } from "./totp.ts";

/** The secret of RFC 6238, appendix B. */
const SECRET = Secret.fromLatin1("12345678901234567890").base32;
const at = (seconds: number) => new Date(seconds * 1000);

describe("a code of an authenticator app", () => {
  // The last six of the eight digits in the table of RFC 6238, appendix B, SHA-1.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %d is that of RFC 6238", (seconds, code) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(BigInt(Math.floor(seconds / 30)));
  });

  it("counts for its own time step, a step early or late, and no longer; its step is its own", () => {
    const [now, code] = [1_234_567_890, "005924"];
    const step = BigInt(now / 30);
    expect(stepOfCode(SECRET, code, at(now - 30))).toBe(step);
    expect(stepOfCode(SECRET, code, at(now + 30))).toBe(step);
    expect(stepOfCode(SECRET, code, at(now - 31))).toBeNull();
    expect(stepOfCode(SECRET, code, at(now + 60))).toBeNull();
  });

  it("of another secret is wrong", () => {
    expect(stepOfCode(newTotpSecret(), "005924", at(1_234_567_890))).toBeNull();
  });
});

it("a secret is 160 bits, another each time, and the address names product and person", () => {
  const secrets = Array.from({ length: 50 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri("ABCDEFGH", "ada@example.com")).toBe(
    "otpauth://totp/Tradewind:ada%40example.com?issuer=Tradewind&secret=ABCDEFGH&algorithm=SHA1&digits=6&period=30",
  );
});
