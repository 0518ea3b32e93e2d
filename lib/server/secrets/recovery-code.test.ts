import { expect, it } from "vitest";
import { newRecoveryCode, recoveryCodeHash } from "./recovery-code.ts";

it("a recovery code is 80 bits in letters and digits that are not mistaken for each other, another each time", () => {
  const codes = Array.from({ length: 500 }, newRecoveryCode);
  expect(new Set(codes).size).toBe(500);
  for (const code of codes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/);
  expect(new Set(codes.join("").replaceAll("-", "")).size).toBe(32);
});

it("its hash passes over dashes and belongs to one person", () => {
  expect(recoveryCodeHash("ABCD-EFGH-JKLM-NPQR", "ada")).toBe(recoveryCodeHash("ABCDEFGHJKLMNPQR", "ada"));
  expect(recoveryCodeHash("ABCD-EFGH-JKLM-NPQR", "ada")).not.toBe(recoveryCodeHash("ABCD-EFGH-JKLM-NPQR", "bob"));
});
