import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { addressBucket, takePoint, type TakenPoint } from "./rate-limit.ts";

/** Spends the group's limit before anything is looked up; of sign-in calls, that of failed ones too. */
export async function spendLimit(group: Endpoint["limit"], address: string | null): Promise<TakenPoint[]> {
  const bucket = addressBucket(address);
  const point = await takePoint(group, bucket);
  return group === "auth" ? [point, await takePoint("auth-failed", bucket)] : [point];
}

/** Counts one more try at something that belongs to one person, from one address. */
export function spendAttempt(subject: string, address: string | null): Promise<TakenPoint> {
  return takePoint("attempts-failed", `${addressBucket(address)}|${subject}`);
}

/** Gives points back that must not count, once the response's status is known. A second call does nothing. */
export async function settle(points: TakenPoint[], status: number): Promise<void> {
  await Promise.all(points.splice(0).map((point) => point.settle(status)));
}
