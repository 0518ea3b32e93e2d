import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { addressBucket, takePoint, type TakenPoint } from "./rate-limit.ts";

const NOTHING_TO_GIVE_BACK: TakenPoint = { giveBack: async () => undefined };

/** Spends the group's limit before anything is looked up. The point given back after success is that of failed sign-in calls. */
export async function spendLimit(group: Endpoint["limit"], address: string | null): Promise<TakenPoint> {
  const bucket = addressBucket(address);
  await takePoint(group, bucket);
  return group === "auth" ? takePoint("auth-failed", bucket) : NOTHING_TO_GIVE_BACK;
}

/** One more try at something that belongs to one person, from one address. */
export function spendAttempt(subject: string, address: string | null): Promise<TakenPoint> {
  return takePoint("attempts-failed", `${addressBucket(address)}|${subject}`);
}

export async function giveBack(points: TakenPoint[]): Promise<void> {
  await Promise.all(points.map((point) => point.giveBack()));
}
