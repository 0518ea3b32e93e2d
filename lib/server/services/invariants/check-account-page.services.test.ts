/** What a page finds whole is stored as the account's own look would have stored it; everything else is left to that look. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { statementsOf } from "@/lib/proof/fixtures/statements-of.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { isInShare, sidesOf, WHOLE_SHARE } from "@/lib/domain/canary.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import {
  accountWithHistory,
  byHand,
  HALTING,
  keepFresh,
  otherSymbol,
  SALE,
  TOLD,
} from "@/lib/proof/fixtures/broken-books.ts";
import { keepRows } from "@/lib/proof/fixtures/every-right.ts";
import { hastyBroker, openAccount, startBench, testContext } from "@/lib/proof/fixtures/orders.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { Prisma } from "../../db.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { checkAccount } from "./check-account.ts";
import { checkAccountPage } from "./check-account-page.ts";
import { INVARIANTS, type InvariantId } from "./table.ts";

let exchange: Exchange;
const context = testContext();
const { db } = context;
/** Without the budget of requests, which a database on a busy machine may answer too late: what cannot be asked is not judged. */
const patient: Context = {
  ...context,
  brokers: {
    ...context.brokers,
    forAccount: (target) => hastyBroker(target as Account, 30_000),
    reserve: () => Promise.resolve(),
  },
};
/** Each has traded; the second is the one that is broken. */
let accounts: Account[];
let restore: () => Promise<void>;

beforeAll(async () => {
  exchange = await startBench();
  const other = await otherSymbol(exchange);
  accounts = [];
  for (let nth = 0; nth < 3; nth += 1) accounts.push(await accountWithHistory(exchange, context, other));
  restore = await keepRows();
});
afterAll(() => exchange.close());
beforeEach(async () => {
  exchange.control.clearFaults();
  await restore();
  await keepFresh(context);
});

const keyOf = (accountId: string) => scheduleKey(jobs.invariants.name, accountId);
const broken = () => accounts[1]!;
const healthy = () => accounts.filter((account) => account !== broken());
const idsOf = (of: readonly Account[]) => of.map(({ id }) => id).sort();
const stored = async ({ id }: Account) => db.invariantCheck.findUnique({ where: { scope: id } });
const haltOf = async ({ id }: Account) => (await db.account.findUniqueOrThrow({ where: { id } })).haltReason;
const endOf = async ({ id }: Account) =>
  (await db.schedule.findUniqueOrThrow({ where: { key: keyOf(id) } })).lastFinishedAt;

/** As the schedule wakes them. */
async function wake(of: readonly Account[]): Promise<{ from: string; to: string }> {
  const lastStartedAt = new Date();
  for (const { id } of of) {
    const row = { job: jobs.invariants.name, accountId: id, dueAt: lastStartedAt, everyMs: 60_000, lastStartedAt };
    await db.schedule.upsert({ where: { key: keyOf(id) }, create: { key: keyOf(id), ...row }, update: row });
  }
  const ids = idsOf(of);
  return { from: ids[0]!, to: ids.at(-1)! };
}

/** Runs a page of these accounts and answers those that it gives a look of their own. */
async function page(of: readonly Account[] = accounts, on: Context = patient): Promise<string[]> {
  const given: string[] = [];
  const enqueue: Context["queue"]["enqueue"] = (job, input) => {
    expect(job).toBe(jobs.invariants);
    for (const { accountId } of [input].flat() as { accountId: string }[]) given.push(accountId);
    return Promise.resolve();
  };
  await checkAccountPage({ ...on, queue: { enqueue } }, await wake(of));
  return given.sort();
}

/** What a page of these leaves: the broken one to its own look and untouched, the others looked at. */
async function expectFoundAmongHealthy(): Promise<void> {
  const haltBefore = await haltOf(broken());
  expect(await page()).toEqual([broken().id]);
  expect(await stored(broken())).toBeNull();
  expect(await haltOf(broken()), "a page halts nothing").toBe(haltBefore);
  expect(await endOf(broken())).toBeNull();
  for (const account of healthy()) {
    expect(await stored(account)).toMatchObject({ isWhole: true, breaches: [], undecided: null, brokenSince: null });
    expect(await endOf(account)).not.toBeNull();
  }
}

it("what a page stores of a whole account is what its own look stores", async () => {
  expect(await page()).toEqual([]);
  const [byPage] = await Promise.all(accounts.map(stored));
  await db.invariantCheck.deleteMany();
  await checkAccount(patient, { accountId: accounts[0]!.id });
  const alone = await stored(accounts[0]!);
  const { checkedAt, durationMs, ...row } = byPage!;
  expect({ ...alone, checkedAt, durationMs }).toEqual({ ...row, checkedAt, durationMs });
  expect(checkedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
});

it("a break that ended is forgotten by the next page, and the time of a halt is kept", async () => {
  await byHand(Prisma.sql`update "Intent" set "status" = 'LIVE' where "accountId" = ${broken().id}::uuid and ${SALE}`);
  await checkAccount(patient, { accountId: broken().id });
  const { haltedAt } = (await stored(broken()))!;
  await byHand(
    Prisma.sql`update "Intent" set "status" = 'FILLED' where "accountId" = ${broken().id}::uuid and ${SALE}`,
  );
  expect(await page()).toEqual([]);
  expect(await stored(broken())).toMatchObject({ isWhole: true, breaches: [], brokenSince: null, haltedAt });
  expect(haltedAt).not.toBeNull();
});

describe("of a page of accounts one is broken: the page leaves it alone to its own look, which does what it always did:", () => {
  it.each(HALTING)("%s: %s, and halts it", async (invariant, _, edit) => {
    await byHand(...edit(broken()));
    await expectFoundAmongHealthy();
    const breaches = await checkAccount(patient, { accountId: broken().id });
    const undecided = (await stored(broken()))?.undecided ?? "decided";
    expect(
      breaches.map((breach) => breach.invariant),
      undecided,
    ).toContain(invariant);
    expect(await stored(broken())).toMatchObject({ isWhole: false, breaches });
    expect(await haltOf(broken())).not.toBeNull();
    for (const account of healthy()) expect(await haltOf(account)).toBeNull();
  });

  it.each(TOLD)("%s: %s, and reports it", async (invariant, _, edit) => {
    await byHand(...edit(broken()));
    await expectFoundAmongHealthy();
    const breaches = await checkAccount(patient, { accountId: broken().id });
    expect([...new Set(breaches.map((breach) => breach.invariant))]).toEqual([invariant]);
    expect(await haltOf(broken())).toBeNull();
  });

  it("and what only the broker can contradict: I4, shares that our books do not have", async () => {
    await exchange.control.manualActions.moveShares(broken().brokerAccountId, { symbol: "SPY", qty: "1" });
    await expectFoundAmongHealthy();
    await exchange.control.manualActions.moveShares(broken().brokerAccountId, { symbol: "SPY", qty: "-1" });
  });

  it("and every invariant of an account that is looked at each minute is among these", () => {
    const ofSystem: readonly string[] = ["I11", "I13"];
    const eachMinute = (Object.keys(INVARIANTS) as InvariantId[]).filter(
      (id) => (INVARIANTS[id].checkedBy as readonly string[]).includes("MINUTE") && !ofSystem.includes(id),
    );
    expect([...new Set([...HALTING, ...TOLD].map(([id]) => id))].sort()).toEqual(eachMinute.sort());
  });
});

describe("what cannot be judged gets its own look, and the others are looked at:", () => {
  const failingFor = (account: Account): Context => ({
    ...patient,
    brokers: {
      ...patient.brokers,
      forAccount: (one) => {
        if (one.id === account.id) throw new Error("the keys do not open");
        return patient.brokers.forAccount(one);
      },
    },
  });

  it("an account whose broker cannot be reached", async () => {
    expect(await page(accounts, failingFor(broken()))).toEqual([broken().id]);
    for (const account of healthy()) expect(await stored(account)).toMatchObject({ isWhole: true });
  });

  it("an account that was never read", async () => {
    await db.account.update({ where: { id: broken().id }, data: { activityWatermark: null } });
    await expectFoundAmongHealthy();
    expect(await checkAccount(patient, { accountId: broken().id })).toEqual([]);
    expect(await stored(broken())).toMatchObject({ undecided: "the account was never reconciled" });
  });

  it("an account that was removed while it waited", async () => {
    const of = await wake(accounts);
    await db.account.update({ where: { id: broken().id }, data: { deletedAt: new Date(), status: "INACTIVE" } });
    const enqueue = vi.fn(() => Promise.resolve());
    await checkAccountPage({ ...patient, queue: { enqueue } }, of);
    expect(enqueue).toHaveBeenCalledExactlyOnceWith(jobs.invariants, [{ accountId: broken().id }]);
    expect(await stored(broken())).toBeNull();
  });

  it("an account that is being deleted is not waited for", async () => {
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from "Account" where "id" = ${broken().id}::uuid for update`;
      await expectFoundAmongHealthy();
    });
  });

  it("an account whose rows no statement can read: each gets its own look, and those of the others say what they always said", async () => {
    await byHand(
      Prisma.sql`update "GateVerdict" g set "results" = '5' from "Intent" i where i."id" = g."intentId" and i."accountId" = ${broken().id}::uuid and g."phase" = 'T2'`,
    );
    expect(await page()).toEqual(idsOf(accounts));
    await expect(checkAccount(patient, { accountId: broken().id })).rejects.toThrow();
    for (const { id } of healthy()) expect(await checkAccount(patient, { accountId: id })).toEqual([]);
  });

  it("all of a page whose last run ended its worker: alone, each is found and halted", async () => {
    const key = scheduleKey(jobs.invariantsPage.name, idsOf(accounts)[0]!);
    await db.jobRun.create({ data: { key, job: jobs.invariantsPage.name, unfinished: 2, startedAt: new Date() } });
    expect(await page()).toEqual(idsOf(accounts));
  });
});

it("a look that an account's own turn stored meanwhile stays", async () => {
  const where = { scope: broken().id };
  await checkAccount(patient, { accountId: broken().id });
  const breaches = [{ invariant: "I9", subject: "a question", detail: "open" }];
  const later = { checkedAt: new Date(Date.now() + 60_000), isWhole: false, breaches, brokenSince: new Date() };
  await db.invariantCheck.update({ where, data: later });
  expect(await page()).toEqual([broken().id]);
  expect(await stored(broken())).toMatchObject(later);
});

it("a page that comes twice asks nothing of the accounts that were looked at", async () => {
  const range = await wake(accounts);
  await checkAccountPage(patient, range);
  const asked = vi.spyOn(patient.brokers, "forAccount");
  await checkAccountPage(patient, range);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
});

it("a page looks at the accounts on its side of a canary's share alone", async () => {
  const share = WHOLE_SHARE / 2;
  const of = [...accounts];
  const sides = () =>
    sidesOf(
      [...of].sort((a, b) => (a.id < b.id ? -1 : 1)),
      share,
    );
  while (sides().some((side) => side.length === 0)) {
    const next = await openAccount(context);
    await reconcileAccount(context, next.id);
    of.push(next);
  }
  const range = await wake(of);
  await checkAccountPage(patient, { ...range, share });
  for (const account of of)
    expect((await stored(account)) !== null, account.id).toBe(
      isInShare(account.id, share) === isInShare(range.from, share),
    );
});

it("a page takes as many statements for many accounts as for one", async () => {
  const checking = async (of: readonly Account[]) => {
    const range = await wake(of);
    const sent = await statementsOf(() => checkAccountPage(context, range));
    for (const account of of) expect(await stored(account)).toMatchObject({ isWhole: true });
    return sent;
  };
  const few = await checking([accounts[0]!]);
  expect(few.length, few.join("\n")).toBeLessThanOrEqual(11);
  expect(await checking(accounts)).toEqual(few);
});
