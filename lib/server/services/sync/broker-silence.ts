import { latestOf, sinceMs } from "@/lib/domain/wall-clock.ts";
import type { Account } from "../../core/row-types.ts";
import { CHECK_AGAIN_AFTER_MS } from "./check-books.ts";

/** Two readings in a row are missed, and the third is due. Wall time. */
const SILENT_AFTER_MS = 3 * CHECK_AGAIN_AFTER_MS;

/** Of a reading at such a time: it is missed, or was made by a clock that was ahead. */
const isMissed = (reconciledAt: Date, now: Date) => sinceMs(reconciledAt, now) > SILENT_AFTER_MS;
const silentBefore = (now: Date) => new Date(now.getTime() - SILENT_AFTER_MS);

/** Accounts that are followed, and whose broker misses its readings. Before the first reading nothing is missed. */
export const silentAt = (now: Date) => ({
  sealedKeys: { not: null },
  haltedAt: null,
  OR: [{ reconciledAt: { lt: silentBefore(now) } }, { reconciledAt: { gt: latestOf(0, now) } }],
});

/** The same of one account. While the queue is held no broker is asked, so that none misses a reading. */
export const isBrokerSilent = (
  { sealedKeys, haltedAt, reconciledAt }: Pick<Account, "sealedKeys" | "haltedAt" | "reconciledAt">,
  now: Date,
  isQueueActive: boolean,
): boolean =>
  isQueueActive && sealedKeys !== null && haltedAt === null && reconciledAt !== null && isMissed(reconciledAt, now);
