import { MINUTE_MS } from "@/lib/domain/time.ts";
import { env } from "./env.ts";

/** A sign-in that was not used since then has ended. */
export function idleSince(at: Date): Date {
  return new Date(at.getTime() - env().SESSION_IDLE_MINUTES * MINUTE_MS);
}
