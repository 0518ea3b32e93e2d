import { createHash } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CSV_START } from "@/lib/domain/csv.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import type { RoleName } from "@/lib/domain/enums.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { recordAudit } from "@/lib/server/audit/record-audit.ts";
import { db } from "@/lib/server/db.ts";
import { withReplica } from "@/lib/proof/fixtures/replica.ts";
import { startBench } from "@/lib/proof/fixtures/orders.ts";
import { makeAccount, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as allAudit from "../admin/all-audit-logs/route.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { makePerson, tokenOf, type Person } from "@/lib/proof/principals/people.ts";
import { closeRows, neverShown, openRows } from "@/lib/proof/principals/rows.ts";
import * as audit from "./audit/route.ts";
import * as dailyReview from "./daily-review/route.ts";
import * as reports from "./export/route.ts";
import * as tail from "./tail/route.ts";

type Tail = Answer<typeof logsApi.tail>["logs"];
type AuditPage = Answer<typeof logsApi.audit>;

let exchange: Exchange;
let [person, other, admin] = [] as unknown as [Person, Person, Person];

beforeAll(async () => {
  exchange = await startBench();
  await openRows();
  [person, other, admin] = [await makePerson("user"), await makePerson("other"), await makePerson("admin")];
}, 120_000);
afterAll(async () => {
  await closeRows();
  await exchange.close();
});

const get = async (door: Door, of: Person, query = "") =>
  (await callDoor(door, "GET", { token: await tokenOf(of), query })).json?.data as unknown;
const tailOf = async (of: Person, query = "") => ((await get(tail, of, query)) as { logs: Tail }).logs;
const auditOf = async (of: Person, query = "", door: Door = audit) => (await get(door, of, query)) as AuditPage;

const asActor = ({ userId }: Person, role: RoleName = "USER") =>
  ({ kind: "user", userId, role, signInId: userId }) as const;

async function record(subject: Person | MadeUser, event: Partial<Parameters<typeof recordAudit>[1]>): Promise<void> {
  const subjectUserId = "userId" in subject ? subject.userId : subject.id;
  await db().$transaction((tx) =>
    recordAudit(tx, {
      at: new Date(),
      eventType: "SIGNED_IN",
      actor: { kind: "user", userId: subjectUserId, role: "USER", signInId: subjectUserId },
      subjectUserId,
      data: {},
      ...event,
    }),
  );
}

describe("every door", () => {
  it.each([
    ["tail", tail, 200],
    ["daily-review", dailyReview, 200],
    ["audit", audit, 200],
    ["all-audit-logs", allAudit, 403],
  ] as const)(
    "%s: 401 without a sign-in, 400 for an unknown field, 200 for whom it is for, 405 for POST",
    async (_, door, status) => {
      expect((await callDoor(door, "GET")).status).toBe(401);
      expect((await callDoor(door, "GET", { token: await tokenOf(person) })).status).toBe(status);
      expect((await callDoor(door, "GET", { token: await tokenOf(admin), query: "userId=x" })).status).toBe(400);
      expect((await callDoor(door, "GET", { token: await tokenOf(admin) })).status).toBe(200);
      expect((await callDoor(door, "POST", { token: await tokenOf(admin), body: {} })).status).toBe(405);
    },
  );

  it.each([
    ["limit=0", "limit", tail],
    ["limit=201", "limit", tail],
    ["limit=0", "limit", audit],
    ["limit=201", "limit", audit],
    ["topic=gossip", "topic", audit],
    ["cursor=first", "cursor", audit],
    ["cursor=-1", "cursor", audit],
    [`cursor=${"9".repeat(40)}`, "cursor", audit],
  ] as const)("%s is refused by the name of %s (%#)", async (query, path, door) => {
    const answer = await callDoor(door, "GET", { token: await tokenOf(person), query });
    expect(answer.status).toBe(400);
    expect(answer.json?.issues?.map((issue) => issue.path)).toContain(path);
  });
});

describe("the tail of the log", () => {
  it("holds the last lines of the caller's own automation, newest last, 200 unless fewer are asked for", async () => {
    const lines = Array.from({ length: 230 }, (_, n) => ({
      level: "info" as const,
      message: `line ${n}`,
      userId: person.userId,
    }));
    await db().logEvent.createMany({ data: lines });
    await db().logEvent.create({ data: { level: "error", message: "for no user in particular" } });
    const messages = (await tailOf(person)).map(({ message }) => message);
    expect(messages).toEqual(lines.slice(-200).map(({ message }) => message));
    const last = await tailOf(person, "limit=3");
    expect(last.map(({ message }) => message)).toEqual(["line 227", "line 228", "line 229"]);
    expect(last[0]).toMatchObject({ level: "info", marketAt: null, accountId: null, account: null, user: null });
  });

  it("says whose account a line is about and leads to its decision", async () => {
    const decision = await db().decisionRecord.findFirstOrThrow({ where: { accountId: person.accountId } });
    const marketAt = new Date("2020-02-03T15:05:00.000Z");
    const about = { userId: person.userId, accountId: person.accountId, marketAt };
    await db().logEvent.create({ data: { level: "warn", message: "decided", ...about, cycleId: decision.cycleId } });
    await db().logEvent.create({ data: { level: "warn", message: "no decision", ...about, cycleId: person.userId } });
    const [decided, without] = await tailOf(person, "limit=2");
    const { name } = await db().account.findUniqueOrThrow({ where: { id: person.accountId } });
    expect(decided).toMatchObject({
      message: "decided",
      marketAt: marketAt.toISOString(),
      accountId: person.accountId,
      cycleId: decision.cycleId,
      account: { name, environmentLabel: "PRACTICE" },
      decisionId: decision.id,
    });
    expect(without).toMatchObject({ message: "no decision", decisionId: null });
  });

  it("of an administrator is the system's, with whose line each is", async () => {
    await db().logEvent.create({ data: { level: "error", message: "the worker is silent" } });
    await db().logEvent.create({ data: { level: "info", message: "theirs", userId: other.userId } });
    const [system, theirs] = await tailOf(admin, "limit=2");
    expect(system).toMatchObject({ message: "the worker is silent", user: null });
    expect(theirs).toMatchObject({ message: "theirs", user: { email: other.email } });
    expect((await tailOf(person, "limit=200")).map(({ message }) => message)).not.toContain("theirs");
  });
});

describe("the audit trail", () => {
  it("of the caller is newest first, page by page, each event once, without another user's events", async () => {
    const busy = await makePerson("user");
    for (let n = 0; n < 6; n += 1) await record(busy, { data: { n } });
    await record(other, { data: { note: "not theirs" } });
    const whole = await auditOf(busy);
    expect(whole.pagination).toEqual({ nextCursor: null, limit: 50 });
    expect(whole.summary.totalEvents).toBe(await db().auditEvent.count({ where: { subjectUserId: busy.userId } }));
    const ids = whole.auditLogs.map(({ id }) => Number(id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const paged: number[] = [];
    for (let cursor = ""; ;) {
      const page = await auditOf(busy, `limit=2${cursor}`);
      expect(page.summary).toEqual(whole.summary);
      paged.push(...page.auditLogs.map(({ id }) => Number(id)));
      if (page.pagination.nextCursor === null) break;
      cursor = `&cursor=${page.pagination.nextCursor}`;
    }
    expect(paged).toEqual(ids);
    expect(JSON.stringify(whole)).not.toContain("not theirs");
  });

  it("shows each event in words with who did it, from where and what was typed", async () => {
    await record(person, { ipAddress: "203.0.113.7", data: { signInId: "s-1" } });
    const [signedIn] = (await auditOf(person, "limit=1")).auditLogs;
    expect(signedIn).toMatchObject({
      eventType: "SIGNED_IN",
      text: "Signed in",
      topic: "security",
      ipAddress: "203.0.113.7",
      eventData: { signInId: "s-1" },
      actor: { kind: "self", name: "You" },
      user: { email: person.email, role: "USER" },
      closed: null,
    });

    await record(person, {
      eventType: "ACCOUNT_HALTED",
      actor: { kind: "system", name: "worker" },
      data: { reason: "The books differ." },
    });
    const [halted] = (await auditOf(person, "limit=1")).auditLogs;
    expect(halted).toMatchObject({ text: "The account was halted: The books differ", actor: { kind: "system" } });

    await record(person, {
      eventType: "ACCOUNT_RESUMED",
      actor: asActor(admin, "ADMIN"),
      ipAddress: "198.51.100.4",
      personal: { reason: "Looked at it with Pat." },
    });
    const [resumed] = (await auditOf(person, "limit=1")).auditLogs;
    expect(resumed).toMatchObject({
      text: "The account was resumed: Looked at it with Pat",
      eventData: { reason: "Looked at it with Pat." },
      actor: { kind: "administrator", name: "An administrator" },
      // An administrator's address is not shown to users.
      ipAddress: null,
    });
    const [toAdmin] = (await auditOf(admin, "limit=1", allAudit)).auditLogs;
    const { firstName, lastName } = await db().user.findUniqueOrThrow({ where: { id: admin.userId } });
    expect(toAdmin).toMatchObject({ id: resumed?.id, ipAddress: "198.51.100.4", user: { email: person.email } });
    expect(toAdmin?.actor).toEqual({ kind: "self", name: "You" });
    const second = await makePerson("admin");
    const toSecond = (await auditOf(second, "limit=10", allAudit)).auditLogs.find(({ id }) => id === resumed?.id);
    expect(toSecond?.actor).toEqual({ kind: "administrator", name: `${firstName} ${lastName}` });
  });

  it("tells what an order was where the event holds its id alone, and leads its owner to the trade", async () => {
    const order = await db().order.findFirstOrThrow({ where: { accountId: person.accountId } });
    const intent = await db().intent.findFirstOrThrow({ where: { accountId: person.accountId } });
    await db().order.update({ where: { id: order.id }, data: { intentId: intent.id, origin: "OURS", role: "ENTRY" } });
    await record(person, { eventType: "ORDER_SENT", data: { clientOrderId: intent.clientOrderId } });
    const [sent] = (await auditOf(person, "limit=1")).auditLogs;
    const what = `${intent.side.toLowerCase()} ${intent.qty.toFixed()} ${intent.symbol}`;
    expect(sent).toMatchObject({ text: `The order to ${what} went to the broker`, topic: "orders", tradeId: order.id });
    expect((await auditOf(admin, "limit=1", allAudit)).auditLogs[0]).toMatchObject({ text: sent?.text, tradeId: null });
  });

  it("tells a raised stop as one, also in rows that name the order alone", async () => {
    const { id, clientOrderId, qty, symbol } = await db().intent.findFirstOrThrow({
      where: { accountId: person.accountId },
    });
    await db().intent.update({
      where: { id },
      data: { purpose: "PROTECT", side: "SELL", reason: "trailing_stop", stopLossPrice: "332.55" },
    });
    for (const eventType of ["ORDER_DECIDED", "ORDER_SENT"] as const)
      await record(person, { eventType, data: { clientOrderId } });
    await record(person, { eventType: "ORDER_ANSWERED", data: { clientOrderId, status: "LIVE" } });
    expect((await auditOf(person, "limit=3")).auditLogs.map(({ text }) => text)).toEqual([
      `Raised the stop of ${symbol} to $332.55`,
      `The raised stop for ${qty.toFixed()} ${symbol} at $332.55 went to the broker`,
      `Decided to raise the stop of ${symbol} to $332.55`,
    ]);
  });

  it("is narrowed to a topic, with the count of that topic", async () => {
    const page = await auditOf(person, "topic=security");
    expect(page.auditLogs.length).toBeGreaterThan(0);
    expect(new Set(page.auditLogs.map(({ topic }) => topic))).toEqual(new Set(["security"]));
    expect(page.summary.totalEvents).toBe(page.auditLogs.length);
    expect(await auditOf(person, "topic=")).toMatchObject({ pagination: { limit: 50 } });
  });

  it("of all users holds what has no subject, too, counted to the last", async () => {
    await db().$transaction((tx) =>
      recordAudit(tx, {
        at: new Date(),
        eventType: "SIGN_IN_FAILED",
        actor: { kind: "anonymous" },
        ipAddress: "192.0.2.9",
        data: {},
      }),
    );
    const page = await auditOf(admin, "limit=1", allAudit);
    expect(page.auditLogs[0]).toMatchObject({
      eventType: "SIGN_IN_FAILED",
      ipAddress: "192.0.2.9",
      user: null,
      actor: { kind: "anonymous" },
    });
    expect(page.summary.totalEvents).toBe(await db().auditEvent.count());
  });

  it("keeps an erased person's events and says that what was personal is gone", async () => {
    const gone = await makePerson("user");
    await record(gone, { ipAddress: "203.0.113.200", data: { signInId: "s-9" } });
    await db().subjectKey.update({ where: { userId: gone.userId }, data: { sealedKey: null, erasedAt: new Date() } });
    const [event] = (await auditOf(admin, "limit=1", allAudit)).auditLogs;
    expect(event).toMatchObject({ closed: "erased", ipAddress: null, eventData: { signInId: "s-9" } });
  });
});

describe("reports.zip", () => {
  const send = async (of: Person) =>
    reports.GET(
      new Request("http://localhost/api/v1/logs/export", {
        headers: { authorization: `Bearer ${await tokenOf(of)}` },
      }),
      { params: Promise.resolve({}) },
    );
  async function files(response: Response): Promise<Record<string, string>> {
    const unpacked = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return Object.fromEntries(Object.entries(unpacked).map(([name, bytes]) => [name, strFromU8(bytes)]));
  }
  const rowsOf = (csv = "") => csv.split("\r\n").length - 2;

  it("holds six tables of the caller's own, formula-safe, with a manifest of hashes and row counts", async () => {
    await db().account.update({ where: { id: person.accountId }, data: { name: "=1+1" } });
    const response = await send(person);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-disposition": 'attachment; filename="reports.zip"',
      "cache-control": "no-store",
    });
    const { "manifest.json": manifest = "", ...found } = await files(response);
    expect(Object.keys(found).sort()).toEqual(
      ["trades", "round-trips", "positions", "equity", "audit", "logs"].map((name) => `${name}.csv`).sort(),
    );
    const contents = JSON.parse(manifest) as { scope: string; files: { name: string; rows: number; sha256: string }[] };
    expect(contents.scope).toBe("own");
    for (const { name, rows, sha256 } of contents.files) {
      // The mark that begins each file is no part of the decoded text.
      const text = `${CSV_START}${found[name] ?? ""}`;
      expect(sha256, name).toBe(createHash("sha256").update(text).digest("hex"));
      expect(rows, name).toBe(rowsOf(found[name]));
    }
    const own = { account: { userId: person.userId } };
    expect(rowsOf(found["round-trips.csv"])).toBe(await db().roundTrip.count({ where: own }));
    expect(rowsOf(found["positions.csv"])).toBe(await db().position.count({ where: own }));
    expect(rowsOf(found["equity.csv"])).toBe(await db().equityPoint.count({ where: own }));
    expect(rowsOf(found["logs.csv"])).toBe(await db().logEvent.count({ where: { userId: person.userId } }));
    expect(rowsOf(found["audit.csv"])).toBe(await db().auditEvent.count({ where: { subjectUserId: person.userId } }));
    expect(found["trades.csv"]).toContain(",'=1+1,PRACTICE,");
    expect(found["audit.csv"]).toContain("REPORTS_EXPORTED,Exported the reports,You,");
    const everything = Object.values(found).join("\n").toLowerCase();
    expect(everything).not.toContain(other.mark);
    expect(everything).not.toContain(person.email);
    for (const secret of await neverShown()) expect(everything.includes(secret.toLowerCase()), secret).toBe(false);
  });

  it("has the names of all columns where there is nothing yet", async () => {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    const response = await reports.GET(
      new Request("http://localhost/api/v1/logs/export", { headers: { authorization: `Bearer ${token}` } }),
      { params: Promise.resolve({}) },
    );
    const found = await files(response);
    expect(found["trades.csv"]).toBe(
      "id,accountId,account,environment,tradedAt,symbol,side,quantity,filledQuantity,averagePrice,totalValue,status,reason,brokerOrderId\r\n",
    );
    expect(found["logs.csv"]).toBe("id,at,marketAt,level,message,accountId,cycleId\r\n");
  });

  it("is read from the replica where there is one", async () => {
    const asked = await withReplica(async () => {
      const response = await reports.GET(
        new Request("http://localhost/api/v1/logs/export", {
          headers: { authorization: `Bearer ${await tokenOf(person)}` },
        }),
        { params: Promise.resolve({}) },
      );
      expect(Object.keys(await files(response))).toContain("trades.csv");
    });
    expect(asked).not.toEqual([]);
  });

  it("holds a table longer than a page once and whole", async () => {
    const long = await makePerson("user");
    const lines = Array.from({ length: 2_001 }, (_, n) => ({
      level: "info" as const,
      message: `line ${n}`,
      userId: long.userId,
    }));
    await db().logEvent.createMany({ data: lines });
    const found = await files(await send(long));
    const messages = (found["logs.csv"] ?? "").split("\r\n").flatMap((line) => /line \d+/.exec(line)?.[0] ?? []);
    expect(messages).toEqual(lines.map(({ message }) => message));
  });

  it("of an administrator holds all users' rows, each with its owner", async () => {
    const extra = await makeAccount(db(), other.userId);
    expect(extra.userId).toBe(other.userId);
    const { "manifest.json": manifest = "", ...found } = await files(await send(admin));
    expect(JSON.parse(manifest)).toMatchObject({ scope: "all" });
    expect(rowsOf(found["positions.csv"])).toBe(await db().position.count());
    expect(rowsOf(found["audit.csv"])).toBe(await db().auditEvent.count());
    expect(rowsOf(found["logs.csv"])).toBe(await db().logEvent.count());
    expect(found["positions.csv"]).toContain(other.email);
    expect(found["logs.csv"]).toContain(other.email);
    for (const secret of await neverShown()) {
      expect(Object.values(found).join("\n").includes(secret), secret).toBe(false);
    }
  });

  it("is made one at a time per person", async () => {
    const first = await send(person);
    expect((await send(person)).status).toBe(409);
    const others = await send(other);
    expect(others.status).toBe(200);
    await others.body?.cancel();
    await first.body?.cancel();
    const again = await send(person);
    expect(again.status).toBe(200);
    await again.body?.cancel();
    expect(await db().exportHold.count({ where: { userId: { in: [person.userId, other.userId] } } })).toBe(0);
  });
});
