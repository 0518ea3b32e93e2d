import type { Given } from "@/lib/contracts/endpoint.ts";
import type { systemApi } from "@/lib/contracts/system.ts";
import { accountTitle, type TitledAccount } from "@/lib/domain/account-title.ts";
import type { AccountEnvironment } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { environmentLabel } from "../../rows.ts";
import { LISTENING } from "../sync/store-stream-states.ts";

type Streams = Given<typeof systemApi.read>["streams"];

/** A follower that has not looked for this long follows nothing. ms of wall time */
const FOLLOWER_SILENT_MS = 30_000;

interface Row extends TitledAccount {
  environment: AccountEnvironment;
  firstName: string;
  lastName: string;
  state: string | null;
  since: Date | null;
  reconciledAt: Date | null;
  haltReason: string | null;
}

/** The streams of all accounts with keys, the worst first. Without a follower none is connected, whatever was last reported. */
export async function readStreams(
  { db }: Pick<Context, "db">,
  { limit, follower }: { limit: number; follower: { ageMs: number } | undefined },
): Promise<Streams> {
  const isFollowed = follower !== undefined && follower.ageMs < FOLLOWER_SILENT_MS;
  const [[counts], rows] = await Promise.all([
    db.$queryRaw<[{ total: number; connected: number }]>`
      select count(*)::int as "total", count(*) filter (where s."state" = ${LISTENING})::int as "connected"
      from "Account" a left join "StreamState" s on s."accountId" = a."id"
      where a."deletedAt" is null and a."sealedKeys" is not null`,
    db.$queryRaw<Row[]>`
      select a."id", a."name", a."broker"::text, a."keyPrefix", a."accountNumberEnd", a."environment"::text, u."firstName", u."lastName",
        s."state", s."since", a."reconciledAt", a."haltReason"
      from "Account" a join "User" u on u."id" = a."userId" left join "StreamState" s on s."accountId" = a."id"
      where a."deletedAt" is null and a."sealedKeys" is not null
      order by (s."state" is not distinct from ${LISTENING}), a."reconciledAt" nulls first, a."id"
      limit ${limit}`,
  ]);
  return {
    total: counts.total,
    connected: isFollowed ? counts.connected : 0,
    worst: rows.map(({ firstName, lastName, state, since, reconciledAt, haltReason, ...account }) => ({
      accountId: account.id,
      name: accountTitle(account),
      owner: `${firstName} ${lastName}`,
      environmentLabel: environmentLabel(account),
      state,
      since,
      reconciledAt,
      haltReason,
      isConnected: isFollowed && state === LISTENING,
    })),
  };
}
