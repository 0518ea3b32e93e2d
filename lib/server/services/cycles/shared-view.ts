import { openSession, type SessionView } from "@/lib/domain/engine/session-view.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";
import { type KnownParts, readMarketView } from "./market-record.ts";

/** Markets that are looked at in turn. */
const MOST_OPEN = 4;

/** Parts of stored views, under their hashes: what one account's decision read serves the other accounts of its cycle. */
const known: KnownParts = new Map();
const open = new Map<string, Promise<SessionView>>();

/**
 * The stored view of a cycle under a policy, with what all accounts of the cycle share: read, checked against its hash and
 * worked out once in each process, also by accounts that decide at once.
 */
export function openSharedView(context: Pick<Context, "db">, snapshotId: string, policy: Policy): Promise<SessionView> {
  // By its content: a policy that is not the same decides on nothing that another one left behind.
  const key = `${snapshotId} ${JSON.stringify(policy)}`;
  const shared =
    open.get(key) ?? readMarketView(context, snapshotId, known).then((market) => openSession(market, policy));
  open.delete(key);
  open.set(key, shared);
  // What could not be read is read again by the next account.
  shared.catch(() => open.delete(key));
  const [oldest] = open.keys();
  if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
  return shared;
}
