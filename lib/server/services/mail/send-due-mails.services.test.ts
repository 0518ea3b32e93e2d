import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { createLog } from "@/lib/server/log.ts";
import { queueMail } from "@/lib/server/mail/outbox.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { sendDueMails } from "./send-due-mails.ts";

const received: { to: string; raw: string }[] = [];
/** What the mail server answers to a recipient; undefined takes the mail. */
let answer: (recipient: string) => number | undefined = () => undefined;

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
      received.push({ to: session.envelope.rcptTo[0]?.address ?? "", raw: Buffer.concat(chunks).toString("utf8") });
      done();
    });
  },
});

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
  now = new Date(Date.now() + 5_000);
  await db().outbox.deleteMany();
});

function useSmtp(url: string) {
  process.env.SMTP_URL = url;
  process.env.APP_BASE_URL = "https://trade.example";
  forgetEnv();
}

const notice = (recipient: string, dedupeKey: string = randomUUID()) => ({
  dedupeKey,
  userId: null,
  recipient,
  template: "notice" as const,
  props: {
    firstName: "Ada <b>",
    subject: "A notice",
    paragraphs: ["First line.", "<script>alert(1)</script>"],
    link: { label: "Open", path: "/settings" },
  },
});

it("a verification mail arrives with the one link of APP_BASE_URL, in HTML and in text", async () => {
  const emailTokenId = randomUUID();
  await queueMail(db(), {
    dedupeKey: "v",
    userId: null,
    recipient: "ada@example.com",
    template: "verify-email",
    props: { firstName: "Ada", emailTokenId },
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
  await db().outbox.updateMany({ data: { attempts: 1, dueAt: new Date(now.getTime() + 120_000) } });
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  now = new Date(now.getTime() + 120_001);
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 0 });
});

it("without a mail server the mails stay in the outbox", async () => {
  const url = process.env.SMTP_URL ?? "";
  useSmtp("");
  await queueMail(db(), notice("ada@example.com"));
  expect(await sendDueMails(context)).toEqual({ sent: 0, failed: 0 });
  expect(await db().outbox.findFirstOrThrow()).toMatchObject({ attempts: 0, sentAt: null });
  useSmtp(url);
});
