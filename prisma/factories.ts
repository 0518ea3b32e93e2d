/** Rows for tests, journeys and the seed: a person, a sign-in, an account, made the way the product makes them. */
import { randomUUID } from "node:crypto";
import type { AccessTokenScopeName, AccountEnvironment, BrokerName, RoleName } from "@/lib/domain/enums.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Db } from "../lib/server/db.ts";
import { accessTokenHash, lastFourOf, newAccessToken } from "../lib/server/secrets/access-token.ts";
import { newClaims, SIGN_IN_MS, writeToken } from "../lib/server/secrets/token.ts";
import { hashPassword } from "../lib/server/secrets/password.ts";
import { sealKeys } from "../lib/server/secrets/seal.ts";

export const FACTORY_PASSWORD = "Correct-Horse-1";
let factoryHash: Promise<string> | undefined;

export interface MadeUser {
  id: string;
  email: string;
  role: RoleName;
  tokenVersion: number;
}

/** A verified person with preferences; the password is FACTORY_PASSWORD. */
export async function makeUser(
  db: Db,
  overrides: {
    email?: string;
    firstName?: string;
    lastName?: string;
    role?: RoleName;
    isVerified?: boolean;
    disabledAt?: Date;
  } = {},
): Promise<MadeUser> {
  factoryHash ??= hashPassword(FACTORY_PASSWORD);
  const { isVerified = true, ...columns } = overrides;
  return db.user.create({
    data: {
      email: `user-${randomUUID()}@example.com`,
      firstName: "Ada",
      lastName: "Lovelace",
      ...columns,
      passwordHash: await factoryHash,
      emailVerifiedAt: isVerified ? new Date() : null,
      tradingPreferences: { create: {} },
      notificationPreferences: { create: {} },
    },
    select: { id: true, email: true, role: true, tokenVersion: true },
  });
}

/** The bearer token of a new sign-in. */
export async function makeSignIn(db: Db, user: MadeUser, at: Date = new Date()): Promise<string> {
  const jti = randomUUID();
  await db.signIn.create({
    data: { userId: user.id, jti, createdAt: at, expiresAt: new Date(at.getTime() + SIGN_IN_MS) },
  });
  return writeToken(newClaims({ userId: user.id, jti, tokenVersion: user.tokenVersion, at }));
}

/** A personal access token of a person's, for thirty days. */
export async function makeAccessToken(
  db: Db,
  { id: userId, tokenVersion }: Pick<MadeUser, "id" | "tokenVersion">,
  overrides: {
    scope?: AccessTokenScopeName;
    createdAt?: Date;
    expiresAt?: Date;
    revokedAt?: Date;
    lastUsedAt?: Date;
  } = {},
): Promise<string> {
  const token = newAccessToken();
  const createdAt = overrides.createdAt ?? new Date();
  await db.accessToken.create({
    data: {
      userId,
      name: "Test",
      scope: "READ",
      expiresAt: new Date(createdAt.getTime() + 30 * DAY_MS),
      ...overrides,
      createdAt,
      tokenHash: accessTokenHash(token),
      lastFour: lastFourOf(token),
      tokenVersion,
    },
  });
  return token;
}

/** A connected account with sealed keys and figures. */
export async function makeAccount(
  db: Db,
  userId: string,
  overrides: {
    name?: string;
    broker?: BrokerName;
    environment?: AccountEnvironment;
    keys?: { keyId: string; secret: string };
    equity?: string;
  } = {},
): Promise<{ id: string; userId: string }> {
  const { name = null, broker = "PRACTICE", environment = "PAPER", equity = "100000" } = overrides;
  const keys = overrides.keys ?? {
    keyId: `TP${randomUUID().replaceAll("-", "").slice(0, 18).toUpperCase()}`,
    secret: randomUUID(),
  };
  const id = randomUUID();
  await db.account.create({
    data: {
      id,
      userId,
      name,
      broker,
      environment,
      liveConfirmedAt: environment === "LIVE" ? new Date() : null,
      market: broker === "PRACTICE" ? "PRACTICE" : "US",
      brokerAccountId: randomUUID(),
      keyPrefix: keys.keyId.slice(0, 8),
      sealedKeys: sealKeys(keys, { userId, accountId: id, environment }),
      figures: { create: { equity, lastEquity: equity, cash: equity, buyingPower: equity, highWaterMark: equity } },
    },
  });
  return { id, userId };
}
