import type { MarketName } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { env } from "../../env.ts";
import { ownAccounts } from "../../jobs/canary.ts";
import { atMost } from "../../core/at-most.ts";
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

/** Accounts of one market that are protected side by side: they share the process's connections to the database. */
const AT_ONCE = 8;
/** A broker that does not answer takes no place from the accounts of the other market. */
const lanes: Record<MarketName, ReturnType<typeof atMost>> = { PRACTICE: atMost(AT_ONCE), US: atMost(AT_ONCE) };
/** What runs or waits for its place, by account: one run of an account at a time. */
const running = new Map<string, Promise<void>>();

/**
 * One round of the worker over the accounts with bare shares; beside the queue, so that none has to be woken for it. Starts the
 * accounts whose turn it is and waits for none of them: one whose broker hangs delays neither the others nor the next round.
 */
export async function protectAccounts(context: Context): Promise<void> {
  const due = await ownTurn(context, await accountsToProtect(context.db, context.now()));
  const idle = due.filter((id) => !running.has(id));
  if (idle.length === 0) return;
  const accounts = await context.db.account.findMany({
    where: { id: { in: idle } },
    select: { id: true, market: true },
    orderBy: { id: "asc" },
  });
  for (const { id, market } of accounts)
    running.set(
      id,
      lanes[market](() => protect(context, id)).finally(() => running.delete(id)),
    );
}

/** Resolves when the runs that have been started have ended. */
export async function protectionEnded(): Promise<void> {
  await Promise.all(running.values());
}

async function protect(context: Context, accountId: string): Promise<void> {
  try {
    await withAccountWriter(context, accountId, (epoch) => protectPositions(context, accountId, epoch));
  } catch (error) {
    context.log.error("protection.failed", { accountId, err: error });
  }
}
