import { afterAll, expect, it } from "vitest";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { openSilentProxy } from "@/lib/proof/fixtures/silent-proxy.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import { closeAccountWriters, withAccountWriter } from "./account-writer.ts";

afterAll(() => closeAccountWriters());

const context = testContext();

/** The sessions that hold accounts of this database. */
async function sessions(): Promise<number[]> {
  const rows = await db().$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'account-writers'`;
  return rows.map(({ pid }) => pid);
}
async function heldAccounts(): Promise<number> {
  const [row] = await db().$queryRaw<{ held: number }[]>`
    select count(*)::int as held from pg_locks where locktype = 'advisory' and classid = 7301
      and database = (select oid from pg_database where datname = current_database())`;
  return row?.held ?? -1;
}

it("a lost connection of the account locks leaves no account locked, whatever was being opened meanwhile", async () => {
  const user = await makeUser(db());
  const accounts = await Promise.all(Array.from({ length: 12 }, () => makeAccount(db(), user.id)));
  for (let round = 0; round < 5; round += 1) {
    let isOver = false;
    const writers = accounts.map(async ({ id }) => {
      while (!isOver) await withAccountWriter(context, id, () => Promise.resolve()).catch(() => undefined);
    });
    await expect.poll(sessions).not.toEqual([]);
    const lost = await sessions();
    await db().$queryRaw`select pg_terminate_backend(pid) from unnest(${lost}::int[]) as pid`;
    await expect.poll(async () => (await sessions()).filter((pid) => !lost.includes(pid))).not.toEqual([]);
    isOver = true;
    await Promise.all(writers);

    await expect.poll(heldAccounts).toBe(0);
    await expect.poll(async () => (await sessions()).length).toBe(1);
    const written = await Promise.all(
      accounts.map(({ id }) => withAccountWriter(context, id, () => Promise.resolve(id), { waitMs: 5_000 })),
    );
    expect(written).toEqual(accounts.map(({ id }) => id));
  }
});

it("a connection of the account locks that falls silent is given up, and the next lock is taken over a new one", async () => {
  const user = await makeUser(db());
  const { id } = await makeAccount(db(), user.id);
  const write = () => withAccountWriter(context, id, () => Promise.resolve("written"));
  const proxy = await openSilentProxy();
  const before = process.env.DATABASE_URL;
  try {
    process.env.DATABASE_URL = proxy.url;
    forgetEnv();
    await closeAccountWriters();
    expect(await write()).toBe("written");
    proxy.silence();
    await expect(write()).rejects.toThrow();
    expect(await write()).toBe("written");
  } finally {
    process.env.DATABASE_URL = before;
    forgetEnv();
    await closeAccountWriters();
    proxy.close();
  }
});
