import { createHash, randomUUID } from "node:crypto";
import type { Subscription } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { holdLease } from "../../core/lease.ts";
import { ownAccounts } from "../../jobs/canary.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Account } from "../../core/row-types.ts";
import { logRarely } from "../../log-rarely.ts";
import { streamAccount } from "./stream-account.ts";
import { storeStreamStates, type StreamChange } from "./store-stream-states.ts";

const LOOK_EVERY_MS = 2_000;
/** A canary follows its own accounts beside the one that follows the others. */
const lease = () => (env().CANARY ? "follower-canary" : "follower");
/** A process that has not looked for this long gives its place to another one. Wall time. */
const LEASE_MS = 15_000;

/**
 * Accounts whose updates one process follows: each takes a connection, and a machine has some 28,000 ports to one address. What
 * is beyond is read by `order-status` like all others, and learns of a fill with the next reading.
 */
const MOST_FOLLOWED = 10_000;
/** New accounts that are read and connected together. */
const NEW_AT_ONCE = 200;

/** Stands for an account that cannot be followed with the keys it has. */
const NO_STREAM: Subscription = { close: () => undefined };

/**
 * Follows the trade updates of every account with keys; accounts that come later are followed within two
 * seconds. Of many workers one follows: a broker takes one stream for an account, and a second one may cost
 * both. Where the follower dies another takes over, and readings fill the gap.
 */
export async function streamAccounts(context: Context): Promise<Subscription> {
  const owner = randomUUID();
  const followed = new Map<string, { keys: string; subscription: Subscription }>();
  let changes = new Map<string, StreamChange>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const current = (await holdLease(context.db, { name: lease(), owner, leaseMs: LEASE_MS }))
      ? await accountsToFollow(context)
      : new Map<string, string>();
    for (const [id, { keys, subscription }] of followed) {
      if (current.get(id) === keys) continue;
      subscription.close();
      followed.delete(id);
    }
    const fresh = [...current.keys()].filter((id) => !followed.has(id));
    for (let first = 0; first < fresh.length && !isClosed; first += NEW_AT_ONCE) {
      const ids = fresh.slice(first, first + NEW_AT_ONCE);
      for (const account of await context.db.account.findMany({ where: { id: { in: ids } } }))
        if (account.sealedKeys !== null && !isClosed) follow(account, keysOf(account.sealedKeys));
    }
  }

  function follow(account: Account, keys: string): void {
    const { id: accountId } = account;
    const onGap = () => void context.queue.enqueue(jobs.orderStatus, { accountId });
    const onStream = (state: string) => void changes.set(accountId, { state, since: context.now() });
    try {
      followed.set(accountId, { keys, subscription: streamAccount(context, account, onGap, onStream) });
    } catch (error) {
      // Keys that cannot be opened do not keep other accounts from being followed; their readings halt the account.
      followed.set(accountId, { keys, subscription: NO_STREAM });
      onStream("keys unreadable");
      context.log.error("account-follow.failed", { accountId, err: error });
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
      context.db.lease.deleteMany({ where: { name: lease(), owner } }).catch(() => undefined);
    },
  };
}

const keysOf = (sealedKeys: string) => createHash("sha256").update(sealedKeys).digest("hex");

/** Accounts with keys, oldest first, and by what a change of their keys is seen. */
async function accountsToFollow({ db, log }: Context): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ id: string; keys: string }[]>`
    select "id", encode(sha256(convert_to("sealedKeys", 'UTF8')), 'hex') as "keys" from "Account"
    where "deletedAt" is null and "sealedKeys" is not null order by "id" limit ${MOST_FOLLOWED + 1}`;
  if (rows.length > MOST_FOLLOWED) logRarely(log, "warn", "account-streams.full", { accounts: MOST_FOLLOWED });
  const isOwn = await ownAccounts(db);
  const followed = rows.slice(0, MOST_FOLLOWED).filter(({ id }) => isOwn(id));
  return new Map(followed.map(({ id, keys }) => [id, keys]));
}
