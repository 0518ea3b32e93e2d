import type { Given } from "@/lib/contracts/endpoint.ts";
import type { invariantsApi } from "@/lib/contracts/invariants.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Db, Prisma } from "../../db.ts";
import { environmentLabel } from "../../rows.ts";
import { INVARIANTS, type Breach, type InvariantId } from "./table.ts";

type Answer = Given<typeof invariantsApi.read>;
type Place = Answer["invariants"][number]["checkedIn"][number];

const SYSTEM = "system";
const RECENT_MS = 5 * MINUTE_MS;
const MOST_BROKEN = 200;
const MOST_UNDECIDED = 100;
const MOST_HALTS = 50;
/** How the halt of a broken invariant begins (store-check.ts). */
const HALT_TEXT = "An invariant is broken.";

/** Of those that are looked at each minute, where: one account after the other, or once for all of them. */
const OF_SYSTEM: readonly InvariantId[] = ["I11", "I13"];
const OF_BOTH: readonly InvariantId[] = ["I12"];

function placesOf(id: InvariantId): Place[] {
  if (!(INVARIANTS[id].checkedBy as readonly string[]).includes("MINUTE")) return [];
  if (OF_BOTH.includes(id)) return ["ACCOUNTS", "SYSTEM"];
  return OF_SYSTEM.includes(id) ? ["SYSTEM"] : ["ACCOUNTS"];
}

const ACCOUNT = {
  include: { user: { select: { id: true, firstName: true, lastName: true, email: true } } },
} satisfies { include: Prisma.AccountInclude };
type Account = Prisma.AccountGetPayload<typeof ACCOUNT>;

/** Accounts that are checked: those with keys that were not deleted. */
const CHECKED = { deletedAt: null, sealedKeys: { not: null } } satisfies Prisma.AccountWhereInput;

/** Every invariant with its last look, and what is or was broken. */
export async function listInvariants({ db, now }: Context): Promise<Answer> {
  const readAt = now();
  const ofChecked = { account: CHECKED } satisfies Prisma.InvariantCheckWhereInput;
  const [system, total, recent, broken, undecided, times, brokenRows, undecidedRows, history] = await Promise.all([
    db.invariantCheck.findUnique({ where: { scope: SYSTEM } }),
    db.account.count({ where: CHECKED }),
    db.invariantCheck.count({ where: { ...ofChecked, checkedAt: { gte: new Date(readAt.getTime() - RECENT_MS) } } }),
    db.invariantCheck.count({ where: { ...ofChecked, isWhole: false } }),
    db.invariantCheck.count({ where: { ...ofChecked, undecided: { not: null } } }),
    db.invariantCheck.aggregate({ where: ofChecked, _max: { checkedAt: true } }),
    db.invariantCheck.findMany({
      where: { isWhole: false, OR: [{ scope: SYSTEM }, ofChecked] },
      orderBy: [{ brokenSince: "asc" }, { scope: "asc" }],
      take: MOST_BROKEN,
      include: { account: ACCOUNT },
    }),
    db.invariantCheck.findMany({
      where: { ...ofChecked, undecided: { not: null } },
      orderBy: { checkedAt: "desc" },
      take: MOST_UNDECIDED,
      include: { account: ACCOUNT },
    }),
    haltsOf(db),
  ]);
  const breaches = brokenRows.flatMap(({ breaches: found, account, brokenSince, checkedAt }) =>
    (found as unknown as Breach[]).map(({ invariant, subject, detail }) => ({
      invariant,
      subject,
      detail,
      account: account && accountView(account),
      brokenSince,
      checkedAt,
      haltedAt: account?.haltedAt ?? null,
    })),
  );
  const last = { ACCOUNTS: times._max.checkedAt, SYSTEM: system?.checkedAt ?? null };
  return {
    readAt,
    accounts: { total, recent, broken, undecided },
    systemCheckedAt: last.SYSTEM,
    invariants: (Object.keys(INVARIANTS) as InvariantId[]).map((id) =>
      invariantView(id, last, breaches.filter(({ invariant }) => invariant === id).length),
    ),
    breaches: breaches.slice(0, MOST_BROKEN),
    undecided: undecidedRows.flatMap(({ account, undecided: why, checkedAt }) =>
      account && why !== null ? [{ account: accountView(account), why, checkedAt }] : [],
    ),
    history,
  };
}

function invariantView(id: InvariantId, last: Record<Place, Date | null>, breaches: number) {
  const { sentence, isHalting, proof } = INVARIANTS[id];
  const checkedIn = placesOf(id);
  // Of two places the one that was checked longest ago: since then not everything was checked.
  const times = checkedIn.map((place) => last[place]);
  const known = times.filter((at) => at !== null);
  const lastCheckedAt =
    known.length < times.length || known.length === 0 ? null : new Date(Math.min(...known.map((at) => at.getTime())));
  const isChecked = lastCheckedAt !== null || breaches > 0;
  const state: Answer["invariants"][number]["state"] =
    checkedIn.length === 0 ? "proved_elsewhere" : breaches > 0 ? "broken" : isChecked ? "whole" : "unchecked";
  return { id, sentence, checkedIn, isHalting, proof, lastCheckedAt, state, breaches };
}

function accountView(account: Account): NonNullable<Answer["breaches"][number]["account"]> {
  const { id, user } = account;
  return {
    id,
    title: accountTitle(account),
    environment: environmentLabel(account),
    user: { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email },
  };
}

/** From the audit trail, which forgets nothing. */
async function haltsOf(db: Db): Promise<Answer["history"]> {
  const events = await db.auditEvent.findMany({
    where: { eventType: "ACCOUNT_HALTED", data: { path: ["reason"], string_starts_with: HALT_TEXT } },
    orderBy: { seq: "desc" },
    take: MOST_HALTS,
    select: { seq: true, at: true, data: true },
  });
  const factsOf = (data: unknown) => data as { accountId?: string; reason?: string };
  const ids = [...new Set(events.flatMap(({ data }) => factsOf(data).accountId ?? []))];
  const accounts = await db.account.findMany({ where: { id: { in: ids } }, ...ACCOUNT });
  const byId = new Map(accounts.map((account) => [account.id, account]));
  return events.map(({ seq, at, data }) => {
    const { accountId = "", reason = "" } = factsOf(data);
    const account = byId.get(accountId) ?? null;
    return {
      id: seq.toString(),
      at,
      reason: reason.slice(HALT_TEXT.length).trim(),
      account: account && accountView(account),
      // Halted since this event: a later halt has an event of its own.
      isHaltedStill: account !== null && account.haltedAt !== null && account.haltedAt.getTime() <= at.getTime(),
    };
  });
}
