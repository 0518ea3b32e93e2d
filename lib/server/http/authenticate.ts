import { Failure } from "@/lib/domain/failures.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import type { Actor } from "../context.ts";
import type { Db } from "../db.ts";
import { actorOf, mayEnter, sessionOf } from "./session.ts";

export function bearerToken(headers: Headers): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/** Who calls: decided by the bearer token alone, never by a cookie, which a foreign page could make the browser send. */
export async function authenticate(
  endpoint: Endpoint,
  headers: Headers,
  ports: { db: Db; now: () => Date },
): Promise<Actor> {
  if (endpoint.access === "public") return { kind: "anonymous" };
  const token = bearerToken(headers);
  const session = token ? await sessionOf(token, ports) : null;
  if (!session) throw new Failure("unauthenticated", "Please sign in.");
  if (!mayEnter(session.user)) throw new Failure("email_unverified", "Email verification required");
  return actorOf(session);
}

export function allow(endpoint: Endpoint, actor: Actor): void {
  if (endpoint.access !== "admin") return;
  if (actor.kind !== "user" || actor.role !== "ADMIN")
    throw new Failure("forbidden", "Only administrators may do this.");
}
