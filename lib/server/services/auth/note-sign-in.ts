import { easternText } from "@/lib/domain/format.ts";
import { networkOf } from "@/lib/domain/network-of.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { queueMail } from "../../mail/outbox.ts";
import { deviceOf } from "./device-of.ts";
import { notify } from "../../core/notify.ts";

const EARLIER_MOST = 500;

/**
 * Tells a person of a sign-in from a network or a device that none of the earlier ones came from, in its transaction
 * and before it is stored. The first sign-in ever tells nothing, nor does what cannot be compared.
 */
export async function noteSignIn(
  tx: Tx,
  { ipAddress, userAgent }: Pick<Context["request"], "ipAddress" | "userAgent">,
  userId: string,
  jti: string,
  at: Date,
): Promise<void> {
  // In SQL: Prisma's `distinct` would read every row into this process. What is kept is bounded in time by purge-old.ts.
  const earlier = await tx.$queryRaw<{ ipAddress: string | null; userAgent: string | null }[]>`
    select "ipAddress", "userAgent" from "SignIn" where "userId" = ${userId}::uuid
    group by "ipAddress", "userAgent" order by max("createdAt") desc limit ${EARLIER_MOST}`;
  const device = deviceOf(userAgent);
  const isNetworkNew = isNew(
    networkOf(ipAddress),
    earlier.map((one) => networkOf(one.ipAddress)),
  );
  const isDeviceNew = isNew(
    device,
    earlier.map((one) => deviceOf(one.userAgent)),
  );
  if (!isNetworkNew && !isDeviceNew) return;
  const { email, firstName } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  const isNotified = await notify(tx, {
    userId,
    dedupeKey: `sign-in:${jti}`,
    at,
    kind: "SECURITY",
    title: "New sign-in",
    text: `${device ?? "An unknown device"}, ${ipAddress ?? "unknown address"}, ${easternText(at.getTime())}. If it was not you, change your password.`,
    link: "/settings?tab=security",
  });
  if (!isNotified) return;
  await queueMail(tx, {
    dedupeKey: `new-sign-in:${jti}`,
    userId,
    recipient: email,
    template: "new-sign-in",
    props: { firstName, device, ipAddress, signedInAt: at.toISOString() },
    dueAt: at,
  });
}

/** Not among the known ones; false where nothing is known to compare with. */
function isNew(value: string | null, seen: (string | null)[]): boolean {
  const known = new Set(seen.filter((one) => one !== null));
  return value !== null && known.size > 0 && !known.has(value);
}
