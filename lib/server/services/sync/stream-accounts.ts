import { randomUUID } from "node:crypto";
import type { Subscription } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { streamAccount } from "./stream-account.ts";
import { storeStreamStates, type StreamChange } from "./store-stream-states.ts";

const LOOK_EVERY_MS = 2_000;
const LEASE = "follower";
/** A process that has not looked for this long gives its place to another one. Wall time. */
const LEASE_MS = 15_000;

/** Stands for an account that cannot be followed with the keys it has. */
const NOBODY: Subscription = { close: () => undefined };

/**
 * Follows the trade updates of every account with keys; accounts that come later are followed within two
 * seconds. Of many workers one follows: a broker takes one stream for an account, and a second one may cost
 * both. Where the follower dies another takes over, and readings fill the gap.
 */
export async function streamAccounts(context: Context): Promise<Subscription> {
  const owner = randomUUID();
  const followed = new Map<string, { sealedKeys: string; subscription: Subscription }>();
  let changes = new Map<string, StreamChange>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const accounts = (await holdsLease(context, owner))
      ? await context.db.account.findMany({ where: { deletedAt: null, sealedKeys: { not: null } } })
      : [];
    const current = new Map(accounts.map((account) => [account.id, account]));
    for (const [id, { sealedKeys, subscription }] of followed) {
      if (current.get(id)?.sealedKeys === sealedKeys) continue;
      subscription.close();
      followed.delete(id);
    }
    for (const account of accounts) {
      if (followed.has(account.id) || account.sealedKeys === null || isClosed) continue;
      const { id: accountId, sealedKeys } = account;
      const onGap = () => void context.queue.enqueue(jobs.orderStatus, { accountId });
      const onStream = (state: string) => void changes.set(accountId, { state, since: context.now() });
      try {
        followed.set(accountId, { sealedKeys, subscription: streamAccount(context, account, onGap, onStream) });
      } catch (error) {
        // Keys that cannot be opened do not keep other accounts from being followed; their readings halt the account.
        followed.set(accountId, { sealedKeys, subscription: NOBODY });
        onStream("keys unreadable");
        context.log.error("account-follow.failed", { accountId, err: error });
      }
    }
  }

  async function storeChanges(): Promise<void> {
    const batch = changes;
    changes = new Map();
    try {
      await storeStreamStates(context.db, batch);
    } catch (error) {
      changes = new Map([...batch, ...changes]);
      throw error;
    }
  }

  async function round(): Promise<void> {
    try {
      await look();
      await storeChanges();
    } catch (error) {
      context.log.error("accounts.read-failed", { err: error });
    }
    if (!isClosed) timer = setTimeout(() => void round(), LOOK_EVERY_MS);
  }
  await round();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { subscription } of followed.values()) subscription.close();
      followed.clear();
      // The next one need not wait; where this fails it waits for the lease to end.
      context.db.lease.deleteMany({ where: { name: LEASE, owner } }).catch(() => undefined);
    },
  };
}

/** True for the one process that follows: the owner of the lease, or the first to find it expired. */
async function holdsLease({ db, now }: Context, owner: string): Promise<boolean> {
  const beatAt = now();
  const givenUp = { beatAt: { lt: new Date(beatAt.getTime() - LEASE_MS) } };
  const { count } = await db.lease.updateMany({
    where: { name: LEASE, OR: [{ owner }, givenUp] },
    data: { owner, beatAt },
  });
  if (count > 0) return true;
  const made = await db.lease.createMany({ data: [{ name: LEASE, owner, beatAt }], skipDuplicates: true });
  return made.count > 0;
}
