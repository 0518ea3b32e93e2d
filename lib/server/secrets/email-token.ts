import { createHash, createHmac } from "node:crypto";
import { env } from "../env.ts";

export type EmailTokenKind = "VERIFY_EMAIL" | "RESET_PASSWORD";

/**
 * The 256-bit token of a mailed link. It follows from the row's random id and the server's secret, so
 * neither the token nor the link is stored anywhere: not in EmailToken (a hash), not in the outbox (the
 * id), and the worker still writes the same link when it sends a mail again.
 */
export function emailToken(kind: EmailTokenKind, id: string): string {
  // The newest secret: links that were mailed hold on by their hash when it is exchanged.
  const [newest = ""] = env().NEXTAUTH_SECRET.split(",");
  return createHmac("sha256", newest).update(`email-token|${kind}|${id}`).digest("base64url");
}

export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
