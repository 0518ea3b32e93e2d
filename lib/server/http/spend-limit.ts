import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { settle, takeAddressPoint, takePoint, type TakenPoint } from "../limits/rate-limit.ts";
import type { DeviceMark } from "../secrets/device-mark.ts";

export { settle, type TakenPoint };

/** Reads that the server asks of itself for a document: the document is counted in their place. */
const ofDocuments = new WeakSet<Request>();

/** Counts a document as a call of the API, from here on with the requests that are made for it. Throws where too many came. */
export async function spendForDocument(address: string | null, requests: readonly Request[]): Promise<void> {
  await spendLimit("api", address);
  for (const request of requests) ofDocuments.add(request);
}

export const isOfDocument = (request: Request): boolean => ofDocuments.has(request);

/**
 * Spends the group's limit of a call that takes no sign-in, before anything is looked up. Devices with an earlier sign-in spend points of their account: what
 * other callers of their address do never keeps them from signing in, and one account opens no more than one such budget,
 * however many marks it collects. Once that is used up they spend those of their address, like any other caller.
 */
export async function spendLimit(
  group: Endpoint["limit"],
  address: string | null,
  device: DeviceMark | null = null,
): Promise<TakenPoint[]> {
  if (group === "none") return [];
  if (group !== "auth" || device === null) return [await takeAddressPoint(group, address)];
  try {
    return [await takePoint(group, `device|${device.account}`)];
  } catch (refusal) {
    if (!(refusal instanceof Failure && refusal.code === "too_many_requests")) throw refusal;
    return [await takeAddressPoint(group, address)];
  }
}

/** Spends the limit of a signed-in person, if the endpoint has one. */
export async function spendPersonLimit({ perPerson }: Endpoint, userId: string): Promise<TakenPoint[]> {
  return perPerson === undefined ? [] : [await takePoint(perPerson, `person|${userId}`)];
}
