import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { failureStatus } from "@/lib/domain/failures.ts";
import { stepUpRefusal } from "@/lib/domain/step-up.ts";
import type { Actor, ActorBehind } from "../context.ts";
import { takeAddressPoint, takePoint, type TakenPoint } from "../limits/rate-limit.ts";
import { isAccessToken } from "../secrets/access-token.ts";
import type { DeviceMark } from "../secrets/device-mark.ts";
import { readToken } from "../secrets/token.ts";
import { asFailure } from "./answer.ts";
import { authenticate, bearerToken } from "./authenticate.ts";
import type { Ports } from "./serve.ts";
import { isOfDocument, spendLimit } from "./spend-limit.ts";

interface Caller {
  address: string | null;
  device: DeviceMark | null;
  /** What the call has spent, to be settled once its status is known. */
  spent: TakenPoint[];
}

/**
 * Who calls, where their limits let them. Behind a sign-in each person spends points of their own, whatever others of their address
 * do, so that no neighbour can use up the calls that stop trading. Refused callers of such a route share a budget of their address. An access token is
 * looked up to be known, so its calls are counted before, by the address.
 */
export async function admit<E extends Endpoint>(
  endpoint: E,
  request: Request,
  ports: Ports,
  { address, device, spent }: Caller,
): Promise<ActorBehind<E["access"]>> {
  const { access, limit } = endpoint;
  if (isOfDocument(request)) return identify(endpoint, request, ports);
  if (access === "public" || limit === "none") {
    spent.push(...(await spendLimit(limit, address, device)));
    return identify(endpoint, request, ports);
  }
  const spendOfAddress = async (callers: string) => void spent.push(await takeAddressPoint(limit, address, callers));
  const token = bearerToken(request.headers);
  const isSignedByUs = token !== null && readToken(token, ports.now()) !== null;
  if (!isSignedByUs) await spendOfAddress(token !== null && isAccessToken(token) ? "access-tokens" : "refused");
  const actor = await authenticate(endpoint, request.headers, ports).catch(async (error: unknown) => {
    if (isSignedByUs && failureStatus(asFailure(error).code) < 500) await spendOfAddress("refused");
    throw error;
  });
  if (isSignedByUs && actor.kind === "user") spent.push(await takePoint(limit, `person|${actor.userId}`));
  refuseUnconfirmed(endpoint, actor, ports.now());
  return actor;
}

/** Who calls, without a look at limits: for a call that was counted already. */
export async function identify<E extends Endpoint>(
  endpoint: E,
  { headers }: Request,
  ports: Ports,
): Promise<ActorBehind<E["access"]>> {
  const actor = await authenticate(endpoint, headers, ports);
  refuseUnconfirmed(endpoint, actor, ports.now());
  return actor;
}

/** A token alone does not open what asks for a step-up: it may be stolen. */
function refuseUnconfirmed({ stepUp }: Endpoint, actor: Actor, now: Date): void {
  if (stepUp !== true) return;
  const refusal = stepUpRefusal(actor.kind === "user" ? actor.confirmedAt : undefined, now);
  if (refusal) throw refusal;
}
