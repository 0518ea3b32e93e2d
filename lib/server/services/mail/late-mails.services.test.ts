import { randomUUID } from "node:crypto";
import { beforeEach, expect, it, vi } from "vitest";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { createLog } from "../../log.ts";
import { queueMail } from "../../mail/outbox.ts";
import { sendDueMails } from "./send-due-mails.ts";

const server = vi.hoisted(() => ({ taken: [] as string[], beforeTaking: async (_to: string) => undefined as unknown }));
vi.mock("../../mail/transport.ts", () => ({
  mailTransport: () => ({
    async send({ to }: { to: string }) {
      await server.beforeTaking(to);
      server.taken.push(to);
      return { kind: "sent" };
    },
    close: () => undefined,
  }),
}));

const context = { db: db(), now: () => new Date(), log: createLog("test", { write: () => undefined }) };
const MINUTE_MS = 60_000;
beforeEach(async () => {
  server.taken.length = 0;
  server.beforeTaking = async () => undefined;
  await db().outbox.deleteMany();
});

/** A mail with a reset link; the link is as the fields say, or there is none. */
async function resetMail(recipient: string, link: { expiresAt: Date; usedAt?: Date } | null) {
  const emailTokenId = randomUUID();
  const { id: userId } = await makeUser(db());
  const kind = "RESET_PASSWORD" as const;
  if (link)
    await db().emailToken.create({
      data: { id: emailTokenId, userId, kind, tokenHash: emailTokenId, createdAt: new Date(0), ...link },
    });
  const props = { firstName: "Ada", emailTokenId };
  await queueMail(db(), { dedupeKey: recipient, userId, recipient, template: "reset-password", props });
}

it("a mail whose link opens nothing any more is not sent and says why; one whose link works goes out", async () => {
  const later = new Date(Date.now() + MINUTE_MS);
  await resetMail("expired@example.com", { expiresAt: new Date(Date.now() - 1_000) });
  await resetMail("used@example.com", { expiresAt: later, usedAt: new Date() });
  await resetMail("deleted@example.com", null);
  await resetMail("works@example.com", { expiresAt: later });
  expect(await sendDueMails(context)).toEqual({ sent: 1, failed: 2 });
  expect(server.taken).toEqual(["works@example.com"]);
  const failed = await db().outbox.findMany({ where: { failedAt: { not: null } } });
  expect(failed.map(({ lastError }) => lastError)).toEqual(Array(2).fill("its link has expired"));
  // Its reader does not need the mail: that is no failure, and raises no alert.
  const used = await db().outbox.findFirstOrThrow({ where: { recipient: "used@example.com" } });
  expect(used).toMatchObject({ failedAt: null, sentAt: expect.any(Date) as Date, lastError: "its link was used" });
});

it("a person who is erased while mails are being sent stops none of the others", async () => {
  const alert = (recipient: string, dueAt: Date) =>
    queueMail(db(), {
      dedupeKey: recipient,
      userId: null,
      recipient,
      template: "system-alert",
      props: { firstName: "Ada", subject: "A notice", paragraphs: ["A line."], link: { label: "Open", path: "/" } },
      dueAt,
    });
  await alert("erased@example.com", new Date(Date.now() - MINUTE_MS));
  await alert("next@example.com", new Date(Date.now() - 1_000));
  server.beforeTaking = async (recipient) =>
    recipient === "erased@example.com" ? db().outbox.deleteMany({ where: { recipient } }) : undefined;
  expect(await sendDueMails(context)).toEqual({ sent: 2, failed: 0 });
  expect(server.taken).toEqual(["erased@example.com", "next@example.com"]);
});
