import type { Given } from "@/lib/contracts/endpoint.ts";
import type { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { environmentLabel } from "../../rows.ts";
import { readTrail } from "../audit/read-activity.ts";
import { viewAudit } from "../audit/view-audit.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";

type KillSwitch = Given<typeof killSwitchApi.read>;
type InForce = KillSwitch["inForce"][number];

const MOST_SHOWN = 200;
const MOST_CHANGES = 50;
const CHANGES = [
  "SYSTEM_KILL_STATE_SET",
  "USER_KILL_STATE_SET",
  "KILL_STATE_SET",
  "SYMBOL_KILL_STATE_SET",
  "ACCOUNT_LATCHED",
];

/** Every stop in force, and the changes of the past from the audit trail. */
export async function readKillSwitch({ actor, db }: Context<"admin">): Promise<KillSwitch> {
  const { userId } = actor;
  const [inForce, trails] = await Promise.all([
    readInForce(db),
    // One by one: each is the end of an index, however rare the event is in a long trail.
    Promise.all(
      CHANGES.map((eventType) => readTrail(db, { where: { eventType }, orderBy: { seq: "desc" }, take: MOST_CHANGES })),
    ),
  ]);
  const trail = trails
    .flat()
    .sort((one, other) => (one.seq < other.seq ? 1 : -1))
    .slice(0, MOST_CHANGES);
  const [named, changes] = await Promise.all([
    withSetters(db, inForce),
    viewAudit(db, trail, { userId, isAdmin: true }),
  ]);
  // A row without a subject is about everybody or a symbol: the person that it is shown with is the one who acted.
  const concerning = new Set(trail.flatMap(({ seq, subjectUserId }) => (subjectUserId === null ? [] : [String(seq)])));
  return {
    inForce: named,
    history: changes.map(({ id, timestamp, text, actor: who, user, eventData }) => ({
      id,
      at: timestamp,
      text,
      by: eventData.by === undefined ? who.name : String(eventData.by),
      whose: user && concerning.has(id) ? user.email : null,
    })),
  };
}

async function readInForce(db: Db): Promise<InForce[]> {
  const [system, users, accounts, symbols] = await Promise.all([
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    db.user.findMany({ where: { killState: { not: "NONE" } }, orderBy: { killSetAt: "desc" }, take: MOST_SHOWN }),
    db.account.findMany({
      where: { killState: { not: "NONE" }, deletedAt: null },
      include: { user: { select: { email: true } } },
      orderBy: { killSetAt: "desc" },
      take: MOST_SHOWN,
    }),
    db.symbolStop.findMany({ orderBy: { setAt: "desc" }, take: MOST_SHOWN }),
  ]);
  const unscoped = { userId: null, accountId: null, market: null, symbol: null, environment: null, by: null };
  return [
    ...(system.killState === "NONE"
      ? []
      : [
          {
            ...unscoped,
            kind: "system" as const,
            key: "system",
            label: "Every account",
            state: system.killState,
            text: KILL_STATE_TEXT[system.killState],
            reason: system.killReason,
            since: system.killSetAt,
          },
        ]),
    ...users.map(({ id, email, killState, killReason, killSetAt }) => ({
      ...unscoped,
      kind: "user" as const,
      key: id,
      userId: id,
      label: email,
      state: killState,
      text: KILL_STATE_TEXT[killState],
      reason: killReason,
      since: killSetAt,
    })),
    ...accounts.map((account) => ({
      ...unscoped,
      kind: "account" as const,
      key: account.id,
      userId: account.userId,
      accountId: account.id,
      label: `${accountTitle(account)} of ${account.user.email}`,
      environment: environmentLabel(account),
      state: account.killState,
      text: KILL_STATE_TEXT[account.killState],
      reason: account.killReason,
      since: account.killSetAt,
      by: account.killSource === "DRAWDOWN" ? "Drawdown limit" : null,
    })),
    ...symbols.map(({ market, symbol, reason, setAt }) => ({
      ...unscoped,
      kind: "symbol" as const,
      key: `${market} ${symbol}`,
      market,
      symbol,
      label: symbol,
      state: "REDUCE_ONLY" as const,
      text: "It is bought in no account; what is held is still sold and protected.",
      reason,
      since: setAt,
    })),
  ];
}

/** Who set each of them, from the newest row of the trail about it. */
async function withSetters(db: Db, inForce: InForce[]): Promise<InForce[]> {
  const times = inForce.map(({ since }) => since).filter((since) => since instanceof Date);
  if (times.length === 0) return inForce;
  const from = new Date(Math.min(...times.map((since) => since.getTime())) - 1000);
  const rows = await db.$queryRaw<{ key: string; by: string | null }[]>`
    select distinct on ("key") "key", coalesce(u."email", e."data" ->> 'by') as "by"
    from (
      select *, case "eventType"
        when 'SYSTEM_KILL_STATE_SET' then 'system'
        when 'USER_KILL_STATE_SET' then "data" ->> 'userId'
        when 'KILL_STATE_SET' then "data" ->> 'accountId'
        else concat_ws(' ', "data" ->> 'market', "data" ->> 'symbol') end as "key"
      from "AuditEvent"
      where "eventType" in ('SYSTEM_KILL_STATE_SET', 'USER_KILL_STATE_SET', 'KILL_STATE_SET', 'SYMBOL_KILL_STATE_SET')
        and "at" >= ${from}::timestamptz
    ) e left join "User" u on u."id" = e."actorUserId"
    order by "key", e."seq" desc`;
  const setters = new Map(rows.map(({ key, by }) => [key, by]));
  return inForce.map((one) => ({ ...one, by: one.by ?? setters.get(one.key) ?? null }));
}
