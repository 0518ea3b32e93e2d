import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { createLog } from "../../log.ts";
import { queueMail } from "../../mail/outbox.ts";
import { readUnsubscribeToken } from "../../mail/unsubscribe-token.ts";
import { emailToken } from "../../secrets/email-token.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { asSuperuser } from "@/lib/proof/fixtures/every-right.ts";
import { makeUser } from "@/prisma/factories.ts";
import { sendDueMails } from "./send-due-mails.ts";

const received: { to: string; raw: string }[] = [];
/** What the mail server answers to a recipient; undefined takes the mail. */
let answer: (recipient: string) => number | undefined = () => undefined;
/** Runs before the server takes the content of a mail. */
let beforeTaking: (recipient: string) => Promise<void> = () => Promise.resolve();

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS", "AUTH"],
  onRcptTo({ address }, _session, done) {
    const code = answer(address);
    done(code === undefined ? null : Object.assign(new Error("no"), { responseCode: code }));
  },
  onData(stream, session, done) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const to = session.envelope.rcptTo[0]?.address ?? "";
      void beforeTaking(to).then(() => {
        received.push({ to, raw: Buffer.concat(chunks).toString("utf8") });
        done();
      });
    });
  },
});

/** What a worker may hold a mail for before it counts as gone. */
const LEASE_MS = 10 * 60_000;
let now = new Date();
const context = { db: db(), now: () => now, log: createLog("test", { write: () => undefined }) };

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  useSmtp(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));
beforeEach(async () => {
  received.length = 0;
  answer = () => undefined;
  beforeTaking = () => Promise.resolve();
  now = new Date(Date.now() + 300_000);
  await db().outbox.deleteMany();
});

function useSmtp(url: string) {
  process.env.SMTP_URL = url;
  process.env.APP_BASE_URL = "https://trade.example";
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
}

const notice = (recipient: string, dedupeKey: string = randomUUID()) => ({
  dedupeKey,
  userId: null,
  recipient,
  template: "system-alert" as const,
  props: {
    firstName: "Ada <b>",
    subject: "A notice",
    paragraphs: ["First line.", "<script>alert(1)</script>"],
    link: { label: "Open", path: "/settings" },
  },
});

it("a verification mail arrives with the one link of APP_BASE_URL, in HTML and in text", async () => {
  const emailTokenId = randomUUID();
  const { id: userId } = await makeUser(db());
  const stored = { id: emailTokenId, userId, kind: "VERIFY_EMAIL" as const, tokenHash: emailTokenId };
  await db().emailToken.create({ data: { ...stored, expiresAt: new Date(now.getTime() + LEASE_MS) } });
  await queueMail(db(), {
    dedupeKey: "v",
    userId: null,
    recipient: "ada@example.com",
    template: "verify-email",
    props: { emailTokenId },
  });
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
  const mail = await PostalMime.parse(received[0]?.raw ?? "");
  const link = `https://trade.example/auth/verify-success?token=${emailToken("VERIFY_EMAIL", emailTokenId)}`;
  expect(received[0]?.to).toBe("ada@example.com");
  expect(mail.subject).toBe("Verify your email address");
  expect(mail.html).toContain(`href="${link}"`);
  expect(mail.text).toContain(link);
  const row = await db().outbox.findFirstOrThrow();
  expect(row).toMatchObject({ attempts: 1, failedAt: null, messageId: mail.messageId });
  expect(row.sentAt).not.toBeNull();
  expect(JSON.stringify(row)).not.toContain(emailToken("VERIFY_EMAIL", emailTokenId));
});

it("text from people is text in the mail, never markup", async () => {
  await queueMail(db(), notice("ada@example.com"));
  await sendDueMails(context);
  const mail = await PostalMime.parse(received[0]?.raw ?? "");
  expect(mail.html).not.toContain("<script>");
  expect(mail.html).toContain("Ada &lt;b&gt;");
  expect(mail.html).toContain('href="https://trade.example/settings"');
});

it("the same event makes one mail", async () => {
  await queueMail(db(), notice("ada@example.com", "once"));
  await queueMail(db(), notice("ada@example.com", "once"));
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
});

it("four workers at once send each of 30 mails once", async () => {
  for (let n = 0; n < 30; n += 1) await queueMail(db(), notice(`user${n}@example.com`));
  const tallies = await Promise.all([1, 2, 3, 4].map(() => sendDueMails(context)));
  expect(tallies.reduce((total, tally) => total + tally.sent, 0)).toBe(30);
  expect(new Set(received.map(({ to }) => to)).size).toBe(30);
  expect(received).toHaveLength(30);
});

it("what was collected goes out after what waits for its reader, however long it has been due", async () => {
  const { id: userId } = await makeUser(db());
  const base = { userId, recipient: "weekly@example.com" };
  await queueMail(db(), {
    ...base,
    dedupeKey: randomUUID(),
    template: "weekly-summary",
    props: { firstName: "Ada", weekEnd: "2026-06-06", blocks: [] },
    dueAt: new Date(0),
  });
  await queueMail(db(), notice("urgent@example.com"));
  await sendDueMails(context);
  expect(received.map(({ to }) => to)).toEqual(["urgent@example.com", "weekly@example.com"]);
});

it("a claim takes one mail, however the database goes about it", async () => {
  // Statistics of an almost empty table make it look the next mail up again for every row that it compares.
  await queueMail(db(), notice("first@example.com"));
  await asSuperuser((all) => all.$executeRaw`vacuum analyze "Outbox"`);
  for (let n = 0; n < 8; n += 1) await queueMail(db(), notice(`user${n}@example.com`));
  expect(await sendDueMails(context)).toEqual({ sent: 9, failed: 0 });
});

it("a mail that was put off waits longer each time, keeps its message id and arrives in the end", async () => {
  await queueMail(db(), notice("ada@example.com"));
  answer = () => 451;
  const waits: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 1 });
    const { dueAt, lastError } = await db().outbox.findFirstOrThrow();
    expect(lastError).toContain("451");
    waits.push(dueAt.getTime() - now.getTime());
    now = dueAt;
  }
  expect(waits).toEqual([60_000, 120_000, 240_000]);
  answer = () => undefined;
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
});

it("a refused recipient is not asked again", async () => {
  await queueMail(db(), notice("gone@example.com"));
  answer = () => 550;
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 1 });
  const row = await db().outbox.findFirstOrThrow();
  expect(row.failedAt).not.toBeNull();
  now = new Date(now.getTime() + 86_400_000);
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
});

it("a mail whose worker died is sent by the next one after the lease", async () => {
  await queueMail(db(), notice("ada@example.com"));
  // As a worker leaves it that dies between claim and sending.
  await db().outbox.updateMany({ data: { attempts: 1, dueAt: new Date(now.getTime() + LEASE_MS) } });
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  now = new Date(now.getTime() + LEASE_MS + 1);
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
});

it("two workers and a server slower than any lease of many mails: each mail goes once", async () => {
  for (let n = 0; n < 8; n += 1) await queueMail(db(), notice(`user${n}@example.com`));
  // Each mail takes longer than half of what a worker may hold one for.
  beforeTaking = () => {
    now = new Date(now.getTime() + LEASE_MS * 0.4);
    return Promise.resolve();
  };
  const tallies = await Promise.all([sendDueMails(context), sendDueMails(context)]);
  expect(tallies.reduce((total, tally) => total + tally.sent, 0)).toBe(8);
  expect(received.map(({ to }) => to).sort()).toEqual(Array.from({ length: 8 }, (_, n) => `user${n}@example.com`));
});

it("a worker that is killed while the server has its mail leaves it to the next, under the same message id", async () => {
  await queueMail(db(), notice("ada@example.com"));
  const { id } = await db().outbox.findFirstOrThrow();
  // Its clock is the real one: what is due is due for it as well.
  await db().outbox.updateMany({ data: { dueAt: new Date(0) } });
  const program = await programArgs("lib/proof/crash/mails-child.ts");
  const child = spawn(process.execPath, program, { env: process.env, stdio: "ignore" });
  const ended = once(child, "exit");
  const reached = new Promise<void>((resolve) => {
    beforeTaking = async () => {
      resolve();
      await ended;
    };
  });
  await Promise.race([reached, ended.then(() => Promise.reject(new Error("the worker ended by itself")))]);
  child.kill("SIGKILL");
  await ended;
  await expect.poll(() => received.length).toBe(1);
  expect(await db().outbox.findFirstOrThrow()).toMatchObject({ attempts: 1, sentAt: null, failedAt: null });
  now = new Date();
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  now = new Date(Date.now() + LEASE_MS + 1_000);
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
  const ids = await Promise.all(received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
  expect(ids).toEqual([`<${id}@trade.example>`, `<${id}@trade.example>`]);
});

it("a mail that can be switched off carries the button of RFC 8058, one that always goes does not", async () => {
  const user = await makeUser(db());
  await queueMail(db(), { ...notice(user.email), userId: user.id });
  const props = { firstName: "Ada", changedAt: now.toISOString() };
  await queueMail(db(), {
    dedupeKey: "changed",
    userId: user.id,
    recipient: user.email,
    template: "password-changed",
    props,
  });
  expect(await sendDueMails(context)).toEqual({ sent: 2, failed: 0 });
  const headersOf = async (raw = "") =>
    new Map((await PostalMime.parse(raw)).headers.map(({ key, value }) => [key, value]));
  const [alert, changed] = await Promise.all(
    ["A notice", "Your password was changed"].map((subject) =>
      headersOf(received.find(({ raw }) => raw.includes(`Subject: ${subject}`))?.raw),
    ),
  );
  const url = /^<(\S+)>$/.exec(alert?.get("list-unsubscribe") ?? "")?.[1] ?? "";
  expect(url).toMatch("https://trade.example/api/v1/notifications/unsubscribe/one-click?token=");
  expect(readUnsubscribeToken(new URL(url).searchParams.get("token") ?? "")).toEqual({
    kind: "alerts",
    userId: user.id,
  });
  expect(alert?.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(changed?.get("list-unsubscribe")).toBeUndefined();
  expect(changed?.get("list-unsubscribe-post")).toBeUndefined();
  expect([alert, changed].map((headers) => headers?.get("auto-submitted"))).toEqual([
    "auto-generated",
    "auto-generated",
  ]);
});

it("what was switched off after it was written is not sent, nor what is for a disabled person; security mails are", async () => {
  const [off, disabled] = [await makeUser(db()), await makeUser(db(), { disabledAt: new Date() })];
  await db().notificationPreferences.update({ where: { userId: off.id }, data: { systemAlerts: false } });
  for (const { id: userId, email } of [off, disabled]) {
    await queueMail(db(), { ...notice(email), userId });
    await queueMail(db(), {
      dedupeKey: `changed:${userId}`,
      userId,
      recipient: email,
      template: "password-changed",
      props: { firstName: "Ada", changedAt: now.toISOString() },
    });
  }
  expect(await sendDueMails(context)).toEqual({ sent: 2, failed: 0 });
  expect(received.map(({ to }) => to).sort()).toEqual([off.email, disabled.email].sort());
  expect(received.every(({ raw }) => raw.includes("Subject: Your password was changed"))).toBe(true);
  const alerts = await db().outbox.findMany({ where: { template: "system-alert" } });
  for (const row of alerts) {
    expect(row).toMatchObject({ messageId: null, lastError: "no longer wanted" });
    expect(row.sentAt).not.toBeNull();
  }
});

it.each([
  ["sent", undefined, { sent: 1, failed: 0 }],
  ["refused for good", 550, { sent: 0, failed: 1 }],
] as const)("the last mail to an erased person leaves no address behind: %s", async (_, code, tally) => {
  answer = () => code;
  await queueMail(db(), {
    dedupeKey: "account-erased:1",
    userId: null,
    recipient: "gone@example.com",
    template: "account-erased",
    props: { firstName: "Ada", erasedAt: now.toISOString() },
  });
  expect(await sendDueMails(context)).toEqual(tally);
  expect(received.map(({ to }) => to)).toEqual(code === undefined ? ["gone@example.com"] : []);
  expect(await db().outbox.count()).toBe(0);
});

/** At 23:00 in New York, in hours that are quiet there until 07:00. */
async function inQuietHours() {
  now = new Date("2026-06-02T03:00:00.000Z");
  const user = await makeUser(db());
  const quiet = { quietFrom: 22 * 60, quietTo: 7 * 60, quietTimeZone: "America/New_York" };
  await db().notificationPreferences.update({ where: { userId: user.id }, data: quiet });
  const to = { userId: user.id, dueAt: now };
  return { user, to, morning: new Date("2026-06-02T11:00:00.000Z") };
}

it("in the quiet hours of its reader a mail waits until they end, untried; security and halts do not wait", async () => {
  const { user, to, morning } = await inQuietHours();
  await queueMail(db(), { ...notice(user.email, "later"), ...to });
  for (const urgency of ["urgent", "security"] as const) {
    const { props, ...mail } = notice(user.email, urgency);
    await queueMail(db(), { ...mail, ...to, props: { ...props, subject: `Now: ${urgency}`, urgency } });
  }
  await queueMail(db(), {
    ...to,
    dedupeKey: "changed",
    recipient: user.email,
    template: "password-changed",
    props: { firstName: "Ada", changedAt: now.toISOString() },
  });
  expect(await sendDueMails(context)).toEqual({ sent: 3, failed: 0 });
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  const held = await db().outbox.findUniqueOrThrow({ where: { dedupeKey: "later" } });
  expect(held).toMatchObject({ attempts: 0, dueAt: morning, sentAt: null });
  now = morning;
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
  expect(received.at(-1)?.raw).toContain("Subject: A notice");
});

it("a mail that failed and is held for quiet hours keeps no error: it waits for its reader, not for the mail server", async () => {
  const { user, to, morning } = await inQuietHours();
  await queueMail(db(), { ...notice(user.email, "later"), ...to });
  await db().outbox.updateMany({ data: { attempts: 2, lastError: "connect ECONNREFUSED" } });
  await sendDueMails(context);
  expect(await db().outbox.findUniqueOrThrow({ where: { dedupeKey: "later" } })).toMatchObject({
    ...{ attempts: 2, dueAt: morning, sentAt: null, lastError: null },
  });
});

it("a mail server that is down for ten minutes gets every mail afterwards, once", async () => {
  for (let n = 0; n < 10; n += 1) await queueMail(db(), notice(`user${n}@example.com`));
  answer = () => 451;
  const end = now.getTime() + 600_000;
  for (; now.getTime() < end; now = new Date(now.getTime() + 60_000)) await sendDueMails(context);
  expect(received).toEqual([]);
  answer = () => undefined;
  for (let minute = 0; minute < 20 && received.length < 10; minute += 1) {
    await sendDueMails(context);
    now = new Date(now.getTime() + 60_000);
  }
  expect(received.map(({ to }) => to).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `user${n}@example.com`));
});

it("a mail about security goes to a reader who switched all alerts off, and its reader cannot switch it off", async () => {
  const user = await makeUser(db());
  await db().notificationPreferences.update({
    where: { userId: user.id },
    data: { systemAlerts: false, emailNotifications: false },
  });
  const { props, ...mail } = notice(user.email);
  await queueMail(db(), { ...mail, userId: user.id, props: { ...props, urgency: "security" } });
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
  expect(received[0]?.raw).not.toMatch(/unsubscribe/i);
});

it("a row that cannot be rendered fails, and stops no other", async () => {
  await db().outbox.create({
    data: { dedupeKey: "old", recipient: "ada@example.com", template: "no-such", props: {}, dueAt: new Date(0) },
  });
  await queueMail(db(), notice("eve@example.com"));
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 1 });
  expect((await db().outbox.findFirstOrThrow({ where: { dedupeKey: "old" } })).failedAt).not.toBeNull();
});

it("without a mail server the mails stay in the outbox", async () => {
  const url = process.env.SMTP_URL ?? "";
  useSmtp("");
  await queueMail(db(), notice("ada@example.com"));
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  expect(await db().outbox.findFirstOrThrow()).toMatchObject({ attempts: 0, sentAt: null });
  useSmtp(url);
});
