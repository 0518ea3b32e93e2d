import { expect, it } from "vitest";
import { superuserUrl } from "@/lib/proof/fixtures/every-right.ts";
import { openSilentProxy } from "@/lib/proof/fixtures/silent-proxy.ts";
import { createDb, db, isUniqueViolation, isUnreachable } from "./db.ts";

it("a database of its own answers, and a taken unique value is told apart, of a raw statement too", async () => {
  const row = { email: "a@example.com", firstName: "A", lastName: "B", passwordHash: "x" };
  const { id } = await db().user.create({ data: row });
  const refusalOf = (statement: Promise<unknown>) => statement.catch((error: unknown) => error);
  expect(isUniqueViolation(await refusalOf(db().user.create({ data: row })))).toBe(true);
  await db().user.create({ data: { ...row, email: "b@example.com" } });
  const raw = db().$queryRaw`update "User" set "email" = 'b@example.com' where "id" = ${id}::uuid returning "id"`;
  expect(isUniqueViolation(await refusalOf(raw))).toBe(true);
  expect(isUniqueViolation(await refusalOf(db().$queryRaw`select 1 / 0`))).toBe(false);
});

it("the database refuses an address that is not lower case", async () => {
  await expect(
    db().user.create({ data: { email: "A@example.com", firstName: "A", lastName: "B", passwordHash: "x" } }),
  ).rejects.toThrow();
});

it("what comes again is prepared once for its connection, and a column that a migration adds fails no statement", async () => {
  const one = createDb(superuserUrl(), 1);
  try {
    await one.$executeRaw`create table "Kept" ("a" int not null)`;
    const told = async () => [
      await one.$queryRaw`insert into "Kept" values (1) returning *`,
      await one.$queryRaw`select "a" from "Kept" limit 1`,
      await one.user.count(),
    ];
    for (let times = 0; times < 5; times += 1) await told();
    const prepared = await one.$queryRaw<{ statement: string }[]>`select "statement" from pg_prepared_statements`;
    const texts = prepared.map(({ statement }) => statement);
    expect(texts).toContain('select "a" from "Kept" limit 1');
    expect(texts.filter((text) => text.includes('"User"'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("returning *"))).toEqual([]);
    await one.$executeRaw`alter table "Kept" add column "b" int`;
    expect((await told()).slice(0, 2)).toEqual([[{ a: 1, b: null }], [{ a: 1 }]]);
  } finally {
    await one.$executeRaw`drop table if exists "Kept"`;
    await one.$disconnect();
  }
});

it("connections that fall silent are given up, in a transaction too, and the next call is answered over a new one", async () => {
  const proxy = await openSilentProxy();
  const over = createDb(proxy.url, 2, 500);
  const ask = () => over.$queryRaw<{ one: number }[]>`select 1 as "one"`;
  try {
    let goOn = () => {};
    const isSilent = new Promise<void>((resolve) => (goOn = resolve));
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const caught = over
      .$transaction(async (tx) => {
        await tx.$queryRaw`select 1`;
        hasBegun();
        await isSilent;
        await tx.$queryRaw`select 2`;
      })
      .catch((error: unknown) => error);
    await begun;
    expect(await ask()).toEqual([{ one: 1 }]);
    proxy.silence();
    goOn();
    const [alone, inTransaction] = [await ask().catch((error: unknown) => error), await caught];
    expect([alone, inTransaction].map(isUnreachable)).toEqual([true, true]);
    expect(await Promise.all([ask(), ask()])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  } finally {
    proxy.close();
    await over.$disconnect();
  }
});

it("a transaction whose answer stayed out takes no later call with it: it is undone whole, and what is written after it stands", async () => {
  const [stalled, other] = [createDb(superuserUrl(), 1, 500), createDb(superuserUrl(), 1)];
  const rows = async () =>
    (await other.$queryRaw<{ n: number }[]>`select "n" from "Held" order by "n"`).map(({ n }) => n);
  try {
    await other.$executeRaw`create table "Held" ("n" int not null)`;
    const error: unknown = await stalled
      .$transaction(async (tx) => {
        await tx.$executeRaw`insert into "Held" values (1)`;
        await tx.$executeRaw`select from pg_sleep(1.3)`;
      })
      .catch((thrown: unknown) => thrown);
    expect(isUnreachable(error)).toBe(true);
    await stalled.$executeRaw`insert into "Held" values (2)`;
    expect(await rows()).toEqual([2]);
    await stalled.$transaction((tx) => tx.$executeRaw`insert into "Held" values (3)`);
    expect(await rows()).toEqual([2, 3]);
  } finally {
    await other.$executeRaw`drop table if exists "Held"`;
    await stalled.$disconnect();
    await other.$disconnect();
  }
});
