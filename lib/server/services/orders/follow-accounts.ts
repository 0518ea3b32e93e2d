import type { Subscription } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { followAccount } from "./follow-account.ts";

const LOOK_EVERY_MS = 2_000;

/** Follows the trade updates of every account with keys; accounts that come later are followed within two seconds. */
export async function followAccounts(context: Context): Promise<Subscription> {
  const followed = new Map<string, { sealedKeys: string; subscription: Subscription }>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const accounts = await context.db.account.findMany({ where: { deletedAt: null, sealedKeys: { not: null } } });
    const current = new Map(accounts.map((account) => [account.id, account]));
    for (const [id, { sealedKeys, subscription }] of followed) {
      if (current.get(id)?.sealedKeys === sealedKeys) continue;
      subscription.close();
      followed.delete(id);
    }
    for (const account of accounts) {
      if (followed.has(account.id) || account.sealedKeys === null || isClosed) continue;
      const onGap = () =>
        void context.queue.enqueue(jobs.orderStatus, { accountId: account.id }, { dedupeId: account.id });
      followed.set(account.id, {
        sealedKeys: account.sealedKeys,
        subscription: followAccount(context, account, onGap),
      });
    }
  }

  async function round(): Promise<void> {
    try {
      await look();
    } catch (error) {
      context.log.error({ err: error }, "accounts to follow cannot be read");
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
    },
  };
}
