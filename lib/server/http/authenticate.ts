import { Failure } from "@/lib/domain/failures.ts";
import { tokenScopeOf, type Endpoint } from "@/lib/contracts/endpoint.ts";
import type { AccessTokenScopeName } from "@/lib/domain/enums.ts";
import type { Actor, ActorBehind, SignedIn } from "../context.ts";
import type { Db } from "../db.ts";
import { isAccessToken } from "../secrets/access-token.ts";
import { accessTokenOf } from "./access-token.ts";
import { actorOf, mayEnter, sessionOf, type SignedInUser } from "./session.ts";

const SECOND_FACTOR_REQUIRED =
  "Administrators need a second factor. Set one up under Settings, Security, to open the console.";

export function bearerToken(headers: Headers): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/**
 * Who calls: decided by the bearer token alone, never by a cookie, which a foreign page could make the browser send. Throws
 * for a caller whom the endpoint does not let in.
 */
export async function authenticate<E extends Endpoint>(
  endpoint: E,
  headers: Headers,
  ports: { db: Db; now: () => Date },
): Promise<ActorBehind<E["access"]>> {
  const actor: Actor = endpoint.access === "public" ? { kind: "anonymous" } : await signedIn(endpoint, headers, ports);
  return actor as ActorBehind<E["access"]>;
}

const unauthenticated = () => new Failure("unauthenticated", "Please sign in.");

async function signedIn(endpoint: Endpoint, headers: Headers, ports: { db: Db; now: () => Date }): Promise<SignedIn> {
  const { access } = endpoint;
  const token = bearerToken(headers);
  if (token !== null && isAccessToken(token)) return byAccessToken(endpoint, token, ports);
  const session = token ? await sessionOf(token, ports) : null;
  if (!session) throw unauthenticated();
  refuseUnverified(session.user);
  const actor = actorOf(session);
  if (access === "admin" && actor.role !== "ADMIN") throw new Failure("forbidden", "Only administrators may do this.");
  if (!session.lacksRequiredFactor) return actor;
  if (access === "admin") throw new Failure("second_factor_required_of_admin", SECOND_FACTOR_REQUIRED);
  // Their own pages stay open, what administrators may do beside them does not.
  return { ...actor, role: "USER" };
}

/** An administrator's token opens what is their own: it never has their powers. */
async function byAccessToken(endpoint: Endpoint, token: string, ports: { db: Db; now: () => Date }): Promise<SignedIn> {
  const held = await accessTokenOf(token, ports);
  if (!held) throw unauthenticated();
  const { id, scope, lastFour, user } = held;
  refuseUnverified(user);
  refuseToToken(endpoint, scope);
  return { kind: "user", userId: user.id, role: "USER", signInId: null, accessToken: { id, lastFour } };
}

function refuseUnverified(user: SignedInUser): void {
  if (!mayEnter(user)) throw new Failure("email_unverified", "Email verification required");
}

function refuseToToken(endpoint: Endpoint, scope: AccessTokenScopeName): void {
  const needed = tokenScopeOf(endpoint);
  if (needed === null)
    throw new Failure("forbidden", "Access tokens do not open this. Sign in to the website to do it.");
  if (needed === "STEER" && scope !== "STEER")
    throw new Failure("forbidden", "This access token may only read. Use one with the scope STEER to do this.");
}
