import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { verifyAudit } from "@/lib/server/audit/verify-audit.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { renderMail } from "@/lib/server/mail/render-mail.ts";
import { writeUnsubscribeToken } from "@/lib/server/mail/unsubscribe-token.ts";
import { wantedKinds } from "@/lib/server/mail/wanted-mails.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as readDoor from "./read/route.ts";
import * as listDoor from "./route.ts";
import * as oneClickDoor from "./unsubscribe/one-click/route.ts";
import * as unsubscribeDoor from "./unsubscribe/route.ts";

let network = 0;
let user: MadeUser;
let token: string;
/** Every test comes from a network of its own: limits of one do not reach the other. */
beforeEach(async () => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  network += 1;
  user = await makeUser(db());
  token = await makeSignIn(db(), user);
});
const headers = () => ({ "x-forwarded-for": `10.7.${network}.1` });

interface Listed {
  notifications: { id: string; title: string; isRead: boolean; environment: string | null; marketAt: string | null }[];
  unreadCount: number;
  pagination: { nextCursor: string | null; limit: number };
}

const START = Date.parse("2026-11-21T12:00:00.000Z");
/** `count` notifications, the last one the newest; every third shares its moment with the one before. */
async function notifyMany(count: number, userId = user.id) {
  for (let n = 0; n < count; n += 1)
    await db().notification.create({
      data: {
        userId,
        dedupeKey: `n${n}`,
        at: new Date(START + (n % 3 === 2 ? n - 1 : n) * 1000),
        kind: "SYSTEM",
        title: `Number ${n}`,
        text: "",
      },
    });
}

async function list(query = "", as = token) {
  const answer = await callDoor(listDoor, "GET", { token: as, query, headers: headers() });
  return { status: answer.status, data: answer.json?.data as unknown as Listed, error: answer.json?.error };
}
const read = (body: unknown, as: string | undefined = token) =>
  callDoor(readDoor, "POST", { ...(as === undefined ? {} : { token: as }), body, headers: headers() });

describe("GET /notifications", () => {
  it("answers 200 with the caller's own, newest first, page after page, none twice and none left out", async () => {
    await notifyMany(10);
    await notifyMany(2, (await makeUser(db())).id);
    const titles: string[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const { status, data }: Awaited<ReturnType<typeof list>> = await list(
        `limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      expect(status).toBe(200);
      expect(data.unreadCount).toBe(10);
      titles.push(...data.notifications.map(({ title }) => title));
      cursor = data.pagination.nextCursor;
    }
    expect(titles).toHaveLength(10);
    expect(new Set(titles).size).toBe(10);
    const stored = await db().notification.findMany({
      where: { userId: user.id },
      orderBy: [{ at: "desc" }, { id: "desc" }],
    });
    expect(titles).toEqual(stored.map(({ title }) => title));
  });

  it("answers 200 to a user without notifications", async () => {
    expect(await list()).toMatchObject({
      status: 200,
      data: { notifications: [], unreadCount: 0, pagination: { nextCursor: null, limit: 20 } },
    });
  });

  it.each(["limit=0", "limit=201", "limit=x", "unknown=1", "cursor=rubbish", `cursor=${"x".repeat(201)}`])(
    "answers 400 to %s",
    async (query) => {
      expect((await list(query)).status).toBe(400);
    },
  );

  it.each(["0000-01-01T00:00:00.000Z", "2026-02-31T00:00:00.000Z"])(
    "answers 400 to a cursor of a time that the database has none of (%s)",
    async (at) => {
      const cursor = Buffer.from(`${at}|0198c0de-0000-7000-8000-000000000001`).toString("base64url");
      expect((await list(`cursor=${cursor}`)).status).toBe(400);
    },
  );

  it("answers 401 without a sign-in", async () => {
    expect((await callDoor(listDoor, "GET", { headers: headers() })).status).toBe(401);
  });

  it("answers 405 to another method", async () => {
    expect((await callDoor(listDoor, "DELETE", { token, headers: headers() })).status).toBe(405);
  });
});

describe("POST /notifications/read", () => {
  const ids = async (userId = user.id) =>
    (await db().notification.findMany({ where: { userId }, orderBy: { dedupeKey: "asc" } })).map(({ id }) => id);

  it("answers 200 and marks those that are named, and only those", async () => {
    await notifyMany(3);
    const [first, second] = await ids();
    expect(await read({ ids: [first, second] })).toMatchObject({ status: 200, json: { data: { unreadCount: 1 } } });
    const { data } = await list();
    expect(data.notifications.map(({ title, isRead }) => `${title} ${isRead}`).sort()).toEqual([
      "Number 0 true",
      "Number 1 true",
      "Number 2 false",
    ]);
  });

  it("answers 200 and marks all of the caller's own; the moment of a first reading stays", async () => {
    const other = await makeUser(db());
    await notifyMany(3);
    await notifyMany(2, other.id);
    await read({ ids: [(await ids())[0]] });
    const { readAt } = await db().notification.findFirstOrThrow({ where: { userId: user.id, readAt: { not: null } } });
    expect(await read({ all: true })).toMatchObject({ status: 200, json: { data: { unreadCount: 0 } } });
    expect(await db().notification.count({ where: { userId: user.id, readAt } })).toBe(1);
    expect(await db().notification.count({ where: { userId: other.id, readAt: null } })).toBe(2);
  });

  it("answers 200 and leaves unread what is of another kind, and what came after the newest that was seen", async () => {
    await notifyMany(4);
    const rows = await db().notification.findMany({
      where: { userId: user.id },
      orderBy: [{ at: "asc" }, { id: "asc" }],
    });
    const [weekly, first, second] = rows;
    await db().notification.update({ where: { id: weekly?.id ?? "" }, data: { kind: "WEEKLY" } });
    await read({ all: true, kind: "SYSTEM", until: second?.at.toISOString() });
    const seen = await db().notification.findMany({ where: { userId: user.id, readAt: { not: null } } });
    expect(seen.map(({ id }) => id).sort()).toEqual([first?.id, second?.id].sort());
    expect((await list("kind=SYSTEM")).data.unreadCount).toBe(1);
    expect((await list()).data.unreadCount).toBe(2);
  });

  it("answers 200 to ids of other people and of nothing, and changes nothing", async () => {
    const other = await makeUser(db());
    await notifyMany(1, other.id);
    expect(await read({ ids: [...(await ids(other.id)), randomUUID()] })).toMatchObject({ status: 200 });
    expect(await db().notification.count({ where: { userId: other.id, readAt: null } })).toBe(1);
  });

  it.each([
    {},
    { ids: [] },
    { all: false },
    { all: true, ids: [randomUUID()] },
    { ids: ["x"] },
    { all: true, more: 1 },
    { ids: [randomUUID()], kind: "ORDER" },
    { all: true, kind: "NEWS" },
    { all: true, until: "yesterday" },
    { all: true, until: "0000-01-01T00:00:00Z" },
  ])("answers 400 to %j", async (body) => {
    expect((await read(body)).status).toBe(400);
  });

  it("answers 400 to more ids than a page holds, 401 without a sign-in", async () => {
    expect((await read({ ids: Array.from({ length: 201 }, () => randomUUID()) })).status).toBe(400);
    expect((await callDoor(readDoor, "POST", { body: { all: true }, headers: headers() })).status).toBe(401);
  });
});

const preferences = () => db().notificationPreferences.findUniqueOrThrow({ where: { userId: user.id } });
const auditOf = () => db().auditEvent.findMany({ where: { subjectUserId: user.id, eventType: "MAILS_SWITCHED_OFF" } });
const unsubscribe = (body: unknown) => callDoor(unsubscribeDoor, "POST", { body, headers: headers() });

describe("POST /notifications/unsubscribe", () => {
  it.each([
    ["orders", { orderNotifications: false, tradeNotifications: true, weeklySummary: true, systemAlerts: true }],
    ["trades", { orderNotifications: true, tradeNotifications: false, weeklySummary: true, systemAlerts: true }],
    ["activity", { orderNotifications: false, tradeNotifications: false, weeklySummary: true, systemAlerts: true }],
    ["weekly", { orderNotifications: true, tradeNotifications: true, weeklySummary: false, systemAlerts: true }],
    ["alerts", { orderNotifications: true, tradeNotifications: true, weeklySummary: true, systemAlerts: false }],
  ] as const)("answers 200 without a sign-in, switches off %s alone, and is audited once", async (kind, after) => {
    const link = writeUnsubscribeToken(kind, user.id);
    for (let times = 0; times < 3; times += 1)
      expect(await unsubscribe({ token: link })).toMatchObject({ status: 200, json: { data: { kind } } });
    expect(await preferences()).toMatchObject({ emailNotifications: true, ...after });
    expect(await auditOf()).toMatchObject([{ actorKind: "anonymous", actorUserId: null, data: { kind } }]);
    expect(await verifyAudit(db())).toMatchObject({ ok: true });
  });

  it("answers 200 to a person without stored preferences, and leaves the others at their default", async () => {
    await db().notificationPreferences.delete({ where: { userId: user.id } });
    expect((await unsubscribe({ token: writeUnsubscribeToken("weekly", user.id) })).status).toBe(200);
    expect(await preferences()).toMatchObject({ weeklySummary: false, systemAlerts: true, emailNotifications: true });
  });

  it("stops the next mail", async () => {
    await unsubscribe({ token: writeUnsubscribeToken("alerts", user.id) });
    const props = { firstName: "Ada", subject: "A notice", paragraphs: ["x"], link: null };
    const reader = { userId: user.id, wants: wantedKinds(await preferences()) };
    expect(await renderMail("system-alert", props, reader)).toBeNull();
  });

  it("answers an erased person's link the same, and writes nothing of them", async () => {
    await db().notificationPreferences.delete({ where: { userId: user.id } });
    const erased = { sealedKey: null, erasedAt: new Date() };
    await db().subjectKey.upsert({
      where: { userId: user.id },
      create: { userId: user.id, ...erased },
      update: erased,
    });
    const token = writeUnsubscribeToken("weekly", user.id);
    expect(await unsubscribe({ token })).toMatchObject({ status: 200, json: { data: { kind: "weekly" } } });
    expect(await db().notificationPreferences.count({ where: { userId: user.id } })).toBe(0);
    expect(await auditOf()).toEqual([]);
  });

  it("answers 400 to what was not signed here, to a user who no longer exists, and to rubbish", async () => {
    const signed = writeUnsubscribeToken("weekly", user.id);
    const wrong = [
      signed.replace("weekly", "alerts"),
      signed.replace(user.id, (await makeUser(db())).id),
      writeUnsubscribeToken("weekly", randomUUID()),
      writeUnsubscribeToken("weekly", "not-an-id"),
      "x".repeat(60),
      "",
    ];
    for (const one of wrong) expect((await unsubscribe({ token: one })).status, one).toBe(400);
    expect((await unsubscribe({})).status).toBe(400);
    expect((await unsubscribe({ token: signed, more: 1 })).status).toBe(400);
    expect(await preferences()).toMatchObject({ weeklySummary: true });
    expect(await auditOf()).toEqual([]);
  });

  it("answers 405 to GET: a scanner that opens links switches nothing off", async () => {
    const query = `token=${writeUnsubscribeToken("weekly", user.id)}`;
    expect((await callDoor(unsubscribeDoor, "GET", { query, headers: headers() })).status).toBe(405);
    expect(await preferences()).toMatchObject({ weeklySummary: true });
  });

  it("answers 429 to who asks too often", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 400 && statuses.at(-1) !== 429; n += 1)
      statuses.push((await unsubscribe({ token: "x".repeat(60) })).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe("POST /notifications/unsubscribe/one-click", () => {
  const query = () => `token=${writeUnsubscribeToken("weekly", user.id)}`;
  const click = (rawBody: string, type: string, asked = query()) =>
    callDoor(oneClickDoor, "POST", { query: asked, rawBody, headers: { ...headers(), "content-type": type } });

  it.each([
    ["application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    ],
    ["text/plain", "x".repeat(200_000)],
  ])("answers 200 to a form that is sent as %s, whatever it says", async (type, body) => {
    expect(await click(body, type)).toMatchObject({ status: 200, json: { data: { kind: "weekly" } } });
    expect(await preferences()).toMatchObject({ weeklySummary: false });
  });

  it("answers 400 without a token, with a wrong one and with anything beside it", async () => {
    const type = "application/x-www-form-urlencoded";
    for (const asked of ["", "token=rubbish", `${query()}x`, `${query()}&more=1`])
      expect((await click("List-Unsubscribe=One-Click", type, asked)).status, asked).toBe(400);
    expect(await preferences()).toMatchObject({ weeklySummary: true });
  });

  it("leads who opens it to the page that asks first, on this site whatever the request claims", async () => {
    const answer = await callDoor(oneClickDoor, "GET", {
      query: `${query()}&next=https://evil.example`,
      headers: { ...headers(), host: "evil.example", "x-forwarded-host": "evil.example" },
    }).catch((error: unknown) => error);
    expect(answer).toMatchObject({ status: 303 });
    const { headers: sent } = answer as { headers: Headers };
    expect(sent.get("location")).toBe(`/unsubscribe?${query()}`);
    expect(await preferences()).toMatchObject({ weeklySummary: true });
  });
});

it("a hostile Host header reaches no link of a mail", async () => {
  process.env.APP_BASE_URL = "https://trade.example";
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  await db().outbox.deleteMany();
  const login = await import("../auth/forgot-password/route.ts");
  await callDoor(login, "POST", {
    body: { email: user.email },
    headers: { ...headers(), host: "evil.example", "x-forwarded-host": "evil.example", origin: "https://evil.example" },
  });
  const [row, ...more] = await db().outbox.findMany();
  expect(more).toEqual([]);
  const mail = await renderMail(row?.template ?? "", row?.props);
  expect(JSON.stringify([mail, row])).not.toContain("evil");
  expect(mail.html).toContain('href="https://trade.example/auth/reset-password?token=');
});
