import { networkOf } from "@/lib/domain/network-of.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const REMEMBERED_MS = 90 * DAY_MS;
const SIGN_INS_MAX = 200;

/** Whether there was a sign-in to this account from the caller's network lately. */
export async function isOwnersNetwork(
  { db, now, request }: Pick<Context, "db" | "now" | "request">,
  { email }: { email: string },
): Promise<boolean> {
  const network = networkOf(request.ipAddress);
  if (network === null) return false;
  const signIns = await db.signIn.findMany({
    where: { user: { email }, createdAt: { gt: new Date(now().getTime() - REMEMBERED_MS) } },
    orderBy: { createdAt: "desc" },
    take: SIGN_INS_MAX,
    select: { ipAddress: true },
  });
  return signIns.some(({ ipAddress }) => networkOf(ipAddress) === network);
}
