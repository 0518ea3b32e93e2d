import { Secret, TOTP } from "otpauth";

const PERIOD_S = 30;
/** Steps before and after the present one whose codes count: clocks differ, and typing takes time. */
const WINDOW = 1;
/** What every authenticator app knows: HMAC-SHA-1, six digits, thirty seconds (RFC 6238). */
const SHAPE = { algorithm: "SHA1", digits: 6, period: PERIOD_S } as const;

/** 160 random bits, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** What a QR code tells an authenticator app. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...SHAPE, issuer: "Tradewind", label: email, secret }).toString();
}

/** The time step that the code belongs to, where that is the present one or a neighbour; else null. */
export function stepOfCode(secret: string, code: string, at: Date): bigint | null {
  const timestamp = at.getTime();
  const delta = TOTP.validate({ ...SHAPE, token: code, secret: Secret.fromBase32(secret), timestamp, window: WINDOW });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1000 / PERIOD_S) + delta);
}
