import { Failure } from "@/lib/domain/failures.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import type { Actor, ActorBehind, SignedIn } from "../context.ts";
import type { Db } from "../db.ts";
import { actorOf, mayEnter, sessionOf } from "./session.ts";

const SECOND_FACTOR_REQUIRED =
  "Administrators need a second factor: set one up under Settings, Security, and the console opens.";

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

async function signedIn({ access }: Endpoint, headers: Headers, ports: { db: Db; now: () => Date }): Promise<SignedIn> {
  const token = bearerToken(headers);
  const session = token ? await sessionOf(token, ports) : null;
  if (!session) throw new Failure("unauthenticated", "Please sign in.");
  if (!mayEnter(session.user)) throw new Failure("email_unverified", "Email verification required");
  const actor = actorOf(session);
  if (access === "admin" && actor.role !== "ADMIN") throw new Failure("forbidden", "Only administrators may do this.");
  if (!session.lacksRequiredFactor) return actor;
  if (access === "admin") throw new Failure("second_factor_required_of_admin", SECOND_FACTOR_REQUIRED);
  // Their own pages stay open, what administrators may do beside them does not.
  return { ...actor, role: "USER" };
}
