import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { ownAccounts } from "../../jobs/canary.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { accountsToProtect } from "./bare-shares.ts";
import { protectPositions } from "./protect-positions.ts";

/** A canary protects its accounts itself; what it leaves bare for longer, an ordinary worker protects. */
const CANARY_FIRST_MS = 10_000;
/** Since when this process sees bare shares in accounts that are not its own. */
const leftSince = new Map<string, number>();

/** The accounts whose turn it is in this process. */
async function ownTurn({ db, now }: Context, bare: readonly string[]): Promise<string[]> {
  const isOwn = await ownAccounts(db);
  const nowMs = now().getTime();
  const left = new Set(bare.filter((id) => !isOwn(id)));
  for (const id of leftSince.keys()) if (!left.has(id)) leftSince.delete(id);
  for (const id of left) if (!leftSince.has(id)) leftSince.set(id, nowMs);
  const isLeft = (id: string) => !env().CANARY && nowMs - (leftSince.get(id) ?? nowMs) >= CANARY_FIRST_MS;
  return bare.filter((id) => isOwn(id) || isLeft(id));
}

/** One round of the worker over the accounts with bare shares; beside the queue, so that none has to be woken for it. */
export async function protectAccounts(context: Context): Promise<void> {
  for (const accountId of await ownTurn(context, await accountsToProtect(context.db, context.now()))) {
    await withAccountWriter(context, accountId, (epoch) => protectPositions(context, accountId, epoch)).catch(
      (error: unknown) => context.log.error("protection.failed", { accountId, err: error }),
    );
  }
}
