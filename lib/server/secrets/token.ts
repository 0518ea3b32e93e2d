import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { HOUR_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

/** A sign-in lasts 12 hours. */
export const SIGN_IN_MS = 12 * HOUR_MS;

const ISSUER = "tradewind";
const AUDIENCE = "tradewind-web";
/** The only header there is: another algorithm, type or an added field is another text and refused unread. */
const HEADER = Buffer.from(JSON.stringify({ alg: "HS256", typ: "JWT" })).toString("base64url");
const CLOCK_TOLERANCE_S = 5;
const LENGTH_MAX = 2_000;

const claimsIn = z.strictObject({
  iss: z.literal(ISSUER),
  aud: z.literal(AUDIENCE),
  /** What the token is for: a token made for another purpose is not accepted as a sign-in. */
  use: z.literal("sign-in"),
  sub: z.uuid(),
  jti: z.uuid(),
  /** The user's tokenVersion when it was issued. */
  ver: z.number().int(),
  iat: z.number().int(),
  nbf: z.number().int(),
  exp: z.number().int(),
});

export type TokenClaims = z.output<typeof claimsIn>;

export function newClaims(signIn: { userId: string; jti: string; tokenVersion: number; at: Date }): TokenClaims {
  const iat = Math.floor(signIn.at.getTime() / 1000);
  return {
    iss: ISSUER,
    aud: AUDIENCE,
    use: "sign-in",
    sub: signIn.userId,
    jti: signIn.jti,
    ver: signIn.tokenVersion,
    iat,
    nbf: iat,
    exp: iat + SIGN_IN_MS / 1000,
  };
}

/** A compact JWT, HS256. The same claims give the same token. */
export function writeToken(claims: TokenClaims): string {
  // Parsing fixes the order of the names.
  const body = `${HEADER}.${Buffer.from(JSON.stringify(claimsIn.parse(claims))).toString("base64url")}`;
  const [newest = ""] = secrets();
  return `${body}.${signature(body, newest)}`;
}

/** The claims of a token that we signed and that holds now, or null. */
export function readToken(token: string, now: Date): TokenClaims | null {
  if (token.length > LENGTH_MAX) return null;
  const [header, payload, signed, ...rest] = token.split(".");
  if (header !== HEADER || !payload || !signed || rest.length > 0) return null;
  if (!secrets().some((secret) => isSameText(signed, signature(`${header}.${payload}`, secret)))) return null;
  const claims = claimsIn.safeParse(parsed(payload));
  if (!claims.success) return null;
  const seconds = now.getTime() / 1000;
  const { nbf, exp } = claims.data;
  return nbf <= seconds + CLOCK_TOLERANCE_S && seconds < exp ? claims.data : null;
}

/** Newest first: it signs. Tokens that an older one signed hold until they end or the secret is taken out of the list. */
const secrets = () => env().NEXTAUTH_SECRET.split(",");

function signature(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("base64url");
}

function isSameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
