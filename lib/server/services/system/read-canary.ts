import { sidesOf } from "@/lib/domain/canary.ts";
import { HOUR_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { firstIdAt } from "../../core/new-id.ts";
import { readSplit, type Split } from "../../jobs/canary.ts";

/** What became of the accounts of one side. */
interface Side {
  accounts: number;
  /** In the last hour of wall time. */
  decisions: number;
  /** Orders of that hour that were halted before they were sent, or of which it is not known whether the broker has them. */
  ordersInDoubt: number;
  /** Accounts whose last reading or look at the invariants failed. */
  failing: number;
  halted: number;
  /** Accounts whose last look found a breach of an invariant. */
  broken: number;
}

export interface CanaryState extends Split {
  processes: { kind: string; owner: string; build: string; orderProtocol: number; ageMs: number }[];
  canary: Side;
  others: Side;
}

/** How the canary's accounts compare with the others. The sides are those of the current share, whichever version decided in this hour. */
export async function readCanary({ db, now }: Pick<Context, "db" | "now">): Promise<CanaryState> {
  const at = now();
  // Ids of version 7 begin with a wall time, a decision's with that of its cycle, and are indexed.
  const first = firstIdAt(new Date(at.getTime() - HOUR_MS));
  const [split, beats, accounts] = await Promise.all([
    readSplit(db, at),
    db.processBeat.findMany({
      where: { kind: { in: ["worker", "canary"] } },
      orderBy: [{ kind: "asc" }, { beatAt: "desc" }],
    }),
    db.$queryRaw<(Omit<Side, "accounts"> & { id: string })[]>`
      with decided as (
        select "accountId", count(*)::int as "count" from "DecisionRecord" where "id" >= ${first}::uuid group by 1
      ), doubted as (
        select "accountId", count(*)::int as "count" from "Intent"
        where "id" >= ${first}::uuid and "status" in ('HALTED', 'UNKNOWN', 'PARKED') group by 1
      )
      select a."id", (a."haltedAt" is not null)::int as "halted", coalesce(d."count", 0) as "decisions",
        coalesce(i."count", 0) as "ordersInDoubt",
        (exists (select 1 from "Schedule" s where s."accountId" = a."id" and s."lastStatus" = 'failed'))::int as "failing",
        (exists (select 1 from "InvariantCheck" c where c."accountId" = a."id" and c."brokenSince" is not null))::int as "broken"
      from "Account" a left join decided d on d."accountId" = a."id" left join doubted i on i."accountId" = a."id"
      where a."deletedAt" is null and a."sealedKeys" is not null`,
  ]);
  const sum = (rows: typeof accounts): Side => {
    const of = (name: keyof Omit<Side, "accounts">) => rows.reduce((total, row) => total + row[name], 0);
    return {
      accounts: rows.length,
      decisions: of("decisions"),
      ordersInDoubt: of("ordersInDoubt"),
      failing: of("failing"),
      halted: of("halted"),
      broken: of("broken"),
    };
  };
  const [canary, others] = sidesOf(accounts, split.share);
  const processes = beats.map(({ kind, owner, build, orderProtocol, beatAt }) => ({
    ...{ kind, owner, build, orderProtocol },
    ageMs: Math.max(0, at.getTime() - beatAt.getTime()),
  }));
  return { ...split, processes, canary: sum(canary), others: sum(others) };
}
