import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { settle, takeAddressPoint, takePoint, type TakenPoint } from "../limits/rate-limit.ts";
import type { DeviceMark } from "../secrets/device-mark.ts";

export { settle, type TakenPoint };

/**
 * Spends the group's limit before anything is looked up. A device that somebody signed in on spends points of its own: what
 * other callers of its address do never keeps it from signing in.
 */
export async function spendLimit(
  group: Endpoint["limit"],
  address: string | null,
  device: DeviceMark | null = null,
): Promise<TakenPoint[]> {
  if (group === "none") return [];
  const isOwnBucket = group === "auth" && device !== null;
  return [await (isOwnBucket ? takePoint(group, `device|${device.id}`) : takeAddressPoint(group, address))];
}

/** Spends the limit of a signed-in person, if the endpoint has one. */
export async function spendPersonLimit({ perPerson }: Endpoint, userId: string): Promise<TakenPoint[]> {
  return perPerson === undefined ? [] : [await takePoint(perPerson, `person|${userId}`)];
}
