import { randomUUID } from "node:crypto";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "../lib/server/db.ts";
import { asSuperuser, superuserUrl } from "../lib/proof/fixtures/every-right.ts";
import { makeAccount, makeUser } from "./factories.ts";
import { schemaScript } from "./schema-script.mjs";

let userId: string;
let accountId: string;

beforeAll(async () => {
  userId = (await makeUser(db())).id;
  accountId = (await makeAccount(db(), userId)).id;
});

/** What a database is made of, as far as Prisma can say it. */
async function catalogueOf(database: pg.Client) {
  const ask = async (sql: string) => (await database.query<{ it: string }>(sql)).rows.map(({ it: one }) => one).sort();
  const isOurs = `relnamespace = 'public'::regnamespace and relname !~ '^_prisma'`;
  return {
    columns: await ask(`
      select format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) as it
      from pg_attribute join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where ${isOurs} and relkind in ('r', 'p') and attnum > 0 and not attisdropped`),
    enums: await ask(`
      select format('%s: %s', typname, string_agg(enumlabel, ' ' order by enumsortorder)) as it
      from pg_enum join pg_type t on t.oid = enumtypid where typnamespace = 'public'::regnamespace group by typname`),
    keys: await ask(`
      select format('%s %s %s', relname, conname, replace(pg_get_constraintdef(k.oid), ' DEFERRABLE INITIALLY DEFERRED', '')) as it
      from pg_constraint k join pg_class c on c.oid = conrelid where ${isOurs} and contype in ('p', 'f', 'u') and conparentid = 0`),
    indexes: await ask(
      `select replace(indexdef, ' ON ONLY ', ' ON ') as it from pg_indexes where schemaname = 'public' and tablename !~ '^_prisma'`,
    ),
  };
}

it("the migrations make exactly the schema", async () => {
  const url = new URL(superuserUrl());
  const beside = `${url.pathname.slice(1)}_schema`;
  await asSuperuser((all) => all.$executeRawUnsafe(`create database ${beside}`));
  const connect = async (pathname: string) => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname }).href });
    await client.connect();
    return client;
  };
  const [migrated, fromSchema] = [await connect(url.pathname), await connect(`/${beside}`)];
  try {
    await fromSchema.query(await schemaScript(url.href));
    const [is, should] = [await catalogueOf(migrated), await catalogueOf(fromSchema)];
    expect(should.columns.length).toBeGreaterThan(400);
    // The migrations have indexes of their own beside those that Prisma can say.
    expect({ ...is, indexes: is.indexes.filter((each) => should.indexes.includes(each)) }).toEqual(should);
  } finally {
    await Promise.all([migrated.end(), fromSchema.end()]);
    await asSuperuser((all) => all.$executeRawUnsafe(`drop database ${beside} with (force)`));
  }
});

const intent = (row: object) => ({
  accountId,
  planId: randomUUID(),
  leg: 0,
  clientOrderId: `tw-${randomUUID()}`,
  purpose: "ENTRY" as const,
  reason: "entry_momentum",
  symbol: `S${Math.floor(Math.random() * 1e6)}`,
  side: "BUY" as const,
  type: "LIMIT" as const,
  timeInForce: "gtc" as const,
  qty: "10",
  decisionPrice: "100",
  decidedAt: new Date(),
  ...row,
});
const order = (row: object) => ({
  accountId,
  origin: "EXTERNAL" as const,
  role: "EXTERNAL" as const,
  brokerOrderId: randomUUID(),
  clientOrderId: randomUUID(),
  symbol: "AAPL",
  side: "BUY" as const,
  orderClass: "SIMPLE" as const,
  type: "MARKET" as const,
  timeInForce: "day",
  qty: "10",
  status: "NEW" as const,
  brokerStatus: "new",
  submittedAt: new Date(),
  tradedAt: new Date(),
  brokerUpdatedAt: new Date(),
  ...row,
});

describe("the database refuses", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["an intent that is sent without a passed gate", () => db().intent.create({ data: intent({ status: "GATED" }) })],
    ["an intent for nothing", () => db().intent.create({ data: intent({ qty: "0" }) })],
    [
      "an intent for NaN shares",
      () => db().$executeRaw`update "Intent" set "qty" = 'NaN' where "id" = ${intentId}::uuid`,
    ],
    [
      "a bracket without its stop",
      () => db().intent.create({ data: intent({ orderClass: "BRACKET", takeProfitPrice: "110" }) }),
    ],
    ["an order of ours without an intent", () => db().order.create({ data: order({ origin: "OURS" }) })],
    ["more filled than ordered", () => db().order.create({ data: order({ filledQty: "11" }) })],
    ["a filled order without a price", () => db().order.create({ data: order({ status: "FILLED", filledQty: "10" }) })],
    ["an order of no size", () => db().order.create({ data: order({ qty: null }) })],
    [
      "a position of nothing",
      () =>
        db().position.create({
          data: { accountId, symbol: "ZERO", qty: "0", avgEntryPrice: "1", openedAt: new Date() },
        }),
    ],
    [
      "a lot with more left than opened",
      () =>
        db().lot.create({
          data: { accountId, symbol: "A", openedAt: new Date(), qtyOpened: "1", qtyRemaining: "2", costPrice: "1" },
        }),
    ],
    [
      "a closed round trip without an outcome",
      () => db().roundTrip.create({ data: { accountId, symbol: "B", openedAt: new Date(), closedAt: new Date() } }),
    ],
    [
      "preferences out of bounds",
      () => db().tradingPreferences.update({ where: { userId }, data: { maxPositions: 21 } }),
    ],
    [
      "a deleted account that may still trade",
      () => db().account.update({ where: { id: accountId }, data: { deletedAt: new Date() } }),
    ],
    [
      "a key prefix that shows more than 8 characters",
      () => db().account.update({ where: { id: accountId }, data: { keyPrefix: "TP1234567" } }),
    ],
    [
      "a practice account that is live",
      () => db().account.update({ where: { id: accountId }, data: { environment: "LIVE" } }),
    ],
    [
      "a halt without a reason",
      () => db().account.update({ where: { id: accountId }, data: { haltedAt: new Date() } }),
    ],
    ["a rate limit of nothing", () => db().rateLimit.create({ data: { name: "x", maxRequests: 0 } })],
    ["a second row of the system's state", () => db().systemState.create({ data: { id: 2 } })],
  ])("%s", async (_, write) => {
    await expect(write()).rejects.toThrow();
  });

  let intentId: string;
  beforeAll(async () => {
    intentId = (await db().intent.create({ data: intent({}) })).id;
  });

  it("a second live decision to buy the same symbol", async () => {
    const { symbol } = await db().intent.create({ data: intent({}) });
    await expect(db().intent.create({ data: intent({ symbol }) })).rejects.toThrow();
    await db().intent.create({ data: intent({ symbol, status: "DENIED" }) });
  });

  it("a second open round trip, a second active policy, a second fill of one execution", async () => {
    const trip = { accountId, symbol: "ONE", openedAt: new Date() };
    await db().roundTrip.create({ data: trip });
    await expect(db().roundTrip.create({ data: trip })).rejects.toThrow();
    await db().policyVersion.create({ data: { version: "a", status: "ACTIVE", content: {} } });
    await expect(
      db().policyVersion.create({ data: { version: "b", status: "ACTIVE", content: {} } }),
    ).rejects.toThrow();
    const { id } = await db().order.create({ data: order({}) });
    const fill = {
      accountId,
      orderId: id,
      executionId: "x:1",
      symbol: "AAPL",
      side: "BUY" as const,
      qty: "1",
      price: "1",
      source: "STREAM" as const,
      at: new Date(),
    };
    await db().fill.create({ data: fill });
    await expect(db().fill.create({ data: fill })).rejects.toThrow();
  });

  it("any change of the record: audit rows, market snapshots, activated policies", async () => {
    await db().marketSnapshot.create({ data: { id: "h", market: "US", asOf: new Date(), content: { a: 1 } } });
    await expect(db().marketSnapshot.update({ where: { id: "h" }, data: { content: { a: 2 } } })).rejects.toThrow();
    await expect(db().policyVersion.update({ where: { version: "a" }, data: { content: { x: 1 } } })).rejects.toThrow();
    await db().policyVersion.update({ where: { version: "a" }, data: { status: "RETIRED" } });
    const audit = { seq: 1n, at: new Date(), eventType: "X", actorKind: "system", data: {}, prevHash: "0", hash: "1" };
    await db().auditEvent.create({ data: audit });
    await expect(db().auditEvent.update({ where: { seq: 1n }, data: { eventType: "Y" } })).rejects.toThrow();
    await expect(db().auditEvent.delete({ where: { seq: 1n } })).rejects.toThrow();
    await expect(db().$executeRaw`truncate "AuditEvent"`).rejects.toThrow();
  });
});
