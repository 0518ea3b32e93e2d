import { ACCESS_TOKEN_BOUNDS, READ_OPENS, type accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import { accessTokenHash, lastFourOf, newAccessToken } from "../../secrets/access-token.ts";
import { inTransaction } from "../../core/transaction.ts";
import { lockSignedIn } from "./lock-person.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";

const SHOWN = {
  id: true,
  name: true,
  scope: true,
  lastFour: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} satisfies Prisma.AccessTokenSelect;

/** What a token may do, after "It may". */
const MAY = {
  READ: `read ${READ_OPENS}`,
  STEER: `read ${READ_OPENS}, and control trading`,
} as const;

/** Tokens that hold: not revoked, not over, and no older than the last change of password or role. */
async function holding(tx: Tx, userId: string, at: Date) {
  const { tokenVersion } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenVersion: true } });
  return { userId, tokenVersion, revokedAt: null, expiresAt: { gt: at } } satisfies Prisma.AccessTokenWhereInput;
}

export async function listAccessTokens({
  actor,
  db,
  now,
}: Context<"user">): Promise<Given<typeof accessTokensApi.list>> {
  return db.accessToken.findMany({
    where: await holding(db, actor.userId, now()),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: ACCESS_TOKEN_BOUNDS.live,
    select: SHOWN,
  });
}

/** Answers the token itself this once: only its hash is stored. */
export async function makeAccessToken(
  context: Context<"user">,
  { name, scope, expiresInDays }: Received<typeof accessTokensApi.make>,
): Promise<Given<typeof accessTokensApi.make>> {
  const { userId } = context.actor;
  const at = context.now();
  const secret = newAccessToken();
  const lastFour = lastFourOf(secret);
  const accessToken = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const where = await holding(tx, userId, at);
    refuseTooMany(await tx.accessToken.count({ where }));
    const made = await tx.accessToken.create({
      data: {
        userId,
        name,
        scope,
        tokenHash: accessTokenHash(secret),
        lastFour,
        tokenVersion: where.tokenVersion,
        createdAt: at,
        expiresAt: new Date(at.getTime() + expiresInDays * DAY_MS),
      },
      select: SHOWN,
    });
    await recordPersonEvent(context, tx, {
      userId,
      eventType: "ACCESS_TOKEN_MADE",
      data: { tokenId: made.id, end: lastFour, scope, expiresInDays },
      personal: { name },
      at,
      news: {
        key: `access-token-made:${made.id}`,
        subject: "An access token was made",
        text: `The access token “${name}”, which ends in ${lastFour}, was made for your account. It may ${MAY[scope]}, for ${expiresInDays} days.`,
      },
    });
    return made;
  });
  await sendNews(context);
  return { accessToken, secret };
}

function refuseTooMany(count: number): void {
  const { live } = ACCESS_TOKEN_BOUNDS;
  if (count >= live)
    throw new Failure("conflict", `You have ${live} access tokens, which is the maximum. Revoke one first.`);
}

/** Revokes one of the caller's tokens. One that holds no more stays so. */
export async function revokeAccessToken(
  context: Context<"user">,
  { id }: Received<typeof accessTokensApi.revoke>,
): Promise<Given<typeof accessTokensApi.revoke>> {
  const { userId } = context.actor;
  const at = context.now();
  await inTransaction(context, async (tx) => {
    const known = await tx.accessToken.findFirst({ where: { id, userId }, select: { name: true, lastFour: true } });
    if (!known) throw new Failure("not_found", "Access token not found.");
    const { count } = await tx.accessToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
    if (count === 0) return;
    await recordPersonEvent(context, tx, {
      userId,
      eventType: "ACCESS_TOKEN_REVOKED",
      data: { tokenId: id, end: known.lastFour },
      personal: { name: known.name },
      at,
    });
  });
  return { message: "The access token is revoked." };
}
