import { randomBytes } from "node:crypto";
import type { AccessTokenScopeName } from "@/lib/domain/enums.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { db } from "@/lib/server/db.ts";
import { newAccessToken } from "@/lib/server/secrets/access-token.ts";
import { makeAccessToken, makeAccount, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { makeDecision } from "./decisions.ts";
import { makeRow, makeSharedRow, personalTables, type Owner, type Row } from "./rows.ts";

export type Name = "user" | "other" | "admin";

export interface Person extends Owner {
  name: Name;
  /** Begins every canary of this person, in lower case. */
  mark: string;
  /** Which field a canary stands in. */
  fields: Map<string, string>;
  email: string;
}

/** The product makes these itself: with the person and the account, and with their first audit row. */
const MADE_BY_PRODUCT = new Set([
  "User",
  "Account",
  "AccountFigures",
  "TradingPreferences",
  "NotificationPreferences",
  "AuditEvent",
  "SubjectKey",
  "DecisionRecord",
]);

/** One cycle in which the accounts of all users decided: each reader sees their own decision. */
let cycle: Promise<Row> | undefined;

/** A person with an account and a row in every table that can hold something of theirs, canaries in every text. */
export async function makePerson(name: Name): Promise<Person> {
  // No id and no hash holds these letters: they are not hexadecimal. Short, because symbols are, and none begins another.
  const mark = `zq${randomBytes(3).toString("hex")}`;
  const fields = new Map<string, string>();
  const canary = (of: string) => {
    const value = `${mark}${fields.size.toString(36).padStart(3, "0")}`.toUpperCase();
    fields.set(value.toLowerCase(), of);
    return value;
  };
  const email = `${canary("User.email").toLowerCase()}@example.com`;
  const user = await makeUser(db(), {
    email,
    firstName: canary("User.firstName"),
    lastName: canary("User.lastName"),
    ...(name === "admin" ? { role: "ADMIN" } : {}),
  });
  await db().user.update({
    where: { id: user.id },
    data: { displayName: canary("User.displayName"), bio: canary("User.bio"), pausedReason: canary("User.paused") },
  });
  const account = await makeAccount(db(), user.id, { name: canary("Account.name") });
  await db().account.update({
    where: { id: account.id },
    data: {
      killState: "NO_NEW_ENTRIES",
      killReason: canary("Account.killReason"),
      killSource: "OWNER",
      killSetAt: new Date(),
    },
  });
  const person: Person = {
    name,
    mark,
    fields,
    email,
    canary,
    userId: user.id,
    accountId: account.id,
    made: new Map(),
  };
  cycle ??= makeSharedRow("Cycle");
  person.made.set("DecisionRecord", await makeDecision(person, String((await cycle).id)));
  for (const table of personalTables()) if (!MADE_BY_PRODUCT.has(table)) await makeRow(table, person);
  await db().$transaction((tx) =>
    recordAudit(tx, {
      at: new Date(),
      eventType: "SIGNED_IN",
      actor: { kind: "user", userId: user.id, role: user.role, signInId: account.id },
      subjectUserId: user.id,
      data: { note: canary("AuditEvent.data") },
    }),
  );
  return person;
}

/** The person, or a new one where an allowed call ended this one: a deletion, a changed password, a practice account begun again. */
export async function stillThere(person: Person): Promise<Person> {
  const user = await db().user.findUnique({ where: { id: person.userId } });
  const account = await db().account.findUnique({ where: { id: person.accountId }, select: { deletedAt: true } });
  const isWell =
    account?.deletedAt === null &&
    user?.disabledAt === null &&
    user.emailVerifiedAt !== null &&
    user.email === person.email &&
    (user.role === "ADMIN") === (person.name === "admin");
  return isWell ? person : makePerson(person.name);
}

/** A new sign-in of a person's, because a call may have ended the last one. */
export async function tokenOf({ userId }: Owner): Promise<string> {
  return makeSignIn(db(), await db().user.findUniqueOrThrow({ where: { id: userId } }));
}

/** Deletes the sign-ins of earlier calls: the secrets that no answer may hold are looked for in every answer. */
export async function forgetSignIns(people: readonly Owner[]): Promise<void> {
  const userId = { in: people.map((person) => person.userId) };
  // Rows of canaries have a user agent and another name.
  await db().signIn.deleteMany({ where: { userId, userAgent: null } });
  await db().accessToken.deleteMany({ where: { userId, name: "Test" } });
}

/** A new access token of a person's. It was used this minute, so that a call by it writes nothing of itself. */
export async function accessTokenFor({ userId }: Owner, scope: AccessTokenScopeName): Promise<string> {
  const user = await db().user.findUniqueOrThrow({ where: { id: userId } });
  return makeAccessToken(db(), user, { scope, lastUsedAt: new Date() });
}

/** Made at first use and then kept: a refused request uses no token up. */
function once(make: () => Promise<string>): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () => (made ??= make());
}

const REFUSED = { status: 401, code: "unauthenticated" };

/** Callers whom no door but a public one may let in, with the answer that is due to them. */
export const STRANGERS: Record<string, { status: number; code: string; token: () => Promise<string | undefined> }> = {
  anonymous: { ...REFUSED, token: async () => undefined },
  malformed: { ...REFUSED, token: async () => "eyJhbGciOiJub25lIn0.e30." },
  expired: {
    ...REFUSED,
    token: once(async () =>
      makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }), new Date(Date.now() - 13 * HOUR_MS)),
    ),
  },
  revoked: {
    ...REFUSED,
    token: once(async () => {
      const user = await makeUser(db(), { role: "ADMIN" });
      const token = await makeSignIn(db(), user);
      await db().signIn.updateMany({ where: { userId: user.id }, data: { revokedAt: new Date() } });
      return token;
    }),
  },
  disabled: {
    ...REFUSED,
    token: once(async () => makeSignIn(db(), await makeUser(db(), { role: "ADMIN", disabledAt: new Date() }))),
  },
  "an unknown access token": { ...REFUSED, token: async () => newAccessToken() },
  "an expired access token": {
    ...REFUSED,
    token: once(async () => {
      const createdAt = new Date(Date.now() - 2 * HOUR_MS);
      const ended = { scope: "STEER", createdAt, expiresAt: new Date(Date.now() - HOUR_MS) } as const;
      return makeAccessToken(db(), await makeUser(db(), { role: "ADMIN" }), ended);
    }),
  },
  "a revoked access token": {
    ...REFUSED,
    token: once(async () =>
      makeAccessToken(db(), await makeUser(db(), { role: "ADMIN" }), { scope: "STEER", revokedAt: new Date() }),
    ),
  },
  "an access token of a disabled person": {
    ...REFUSED,
    token: once(async () =>
      makeAccessToken(db(), await makeUser(db(), { role: "ADMIN", disabledAt: new Date() }), { scope: "STEER" }),
    ),
  },
  "an access token of an unverified person": {
    status: 403,
    code: "email_unverified",
    token: once(async () => makeAccessToken(db(), await makeUser(db(), { isVerified: false }), { scope: "STEER" })),
  },
  unverified: {
    status: 403,
    code: "email_unverified",
    token: once(async () => makeSignIn(db(), await makeUser(db(), { isVerified: false }))),
  },
};
