import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { forgetEnv } from "../env.ts";
import { openTotp, resealTotp, sealTotp } from "./seal-totp.ts";
import { newTotpSecret } from "./totp.ts";

const FIRST = `1:${Buffer.alloc(32, 7).toString("base64")}`;
const SECOND = `2:${Buffer.alloc(32, 9).toString("base64")}`;
const use = (keys: string) => {
  process.env.MASTER_KEYS = keys;
  forgetEnv();
};

beforeEach(() => {
  process.env.DATABASE_URL ??= "postgres://nowhere/none";
  process.env.NEXTAUTH_SECRET ??= "s".repeat(64);
  process.env.AUDIT_KEY ??= "a".repeat(32);
  use(FIRST);
});

const [owner, other] = [randomUUID(), randomUUID()];

it("a sealed secret opens for its owner, is not readable, and no two texts are alike", () => {
  const secret = newTotpSecret();
  const sealed = sealTotp(secret, owner);
  expect(openTotp(sealed, owner)).toBe(secret);
  expect(sealed).not.toContain(secret);
  expect(sealTotp(secret, owner)).not.toBe(sealed);
});

it("it opens for no other user, and not after any change", () => {
  const sealed = sealTotp(newTotpSecret(), owner);
  expect(() => openTotp(sealed, other)).toThrow("cannot be checked");
  for (let place = 0; place < sealed.length; place += 7) {
    const changed = `${sealed.slice(0, place)}${sealed[place] === "A" ? "B" : "A"}${sealed.slice(place + 1)}`;
    expect(() => openTotp(changed, owner)).toThrow("cannot be checked");
  }
});

it("it is put under a newer master key while it stays closed, and then needs the older one no more", () => {
  const secret = newTotpSecret();
  const sealed = sealTotp(secret, owner);
  use(`${SECOND},${FIRST}`);
  const resealed = resealTotp(sealed, owner);
  use(SECOND);
  expect(openTotp(resealed, owner)).toBe(secret);
  expect(() => openTotp(sealed, owner)).toThrow("cannot be checked");
});
