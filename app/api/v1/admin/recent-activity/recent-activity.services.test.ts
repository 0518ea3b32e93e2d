import { beforeAll, expect, it } from "vitest";
import type { RoleName } from "@/lib/domain/enums.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { type AuditEntry, recordAudit } from "@/lib/server/audit/record-audit.ts";
import { db } from "@/lib/server/db.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as activityDoor from "./route.ts";

const AT = new Date("2026-11-20T15:00:00Z");
let admin: MadeUser;
let token = "";

beforeAll(async () => {
  admin = await makeUser(db(), { role: "ADMIN" });
  token = await makeSignIn(db(), admin);
});

it("says of the person concerned what was done to them, by whom, and of who acted what they did", async () => {
  const person = await makeUser(db(), { firstName: "Tessa", lastName: "Trader" });
  const other = await makeUser(db(), { firstName: "Otto", lastName: "Operator", role: "ADMIN" });
  const { actor: system } = systemContext("test");
  const record = (
    eventType: AuditEntry["eventType"],
    actor: AuditEntry["actor"],
    data: AuditEntry["data"] = {},
    subject: AuditEntry["subjectUserId"] | null = person.id,
  ) =>
    db().$transaction((tx) =>
      recordAudit(tx, { at: AT, eventType, actor, data, ...(subject ? { subjectUserId: subject } : {}) }),
    );
  const byPerson = (userId: string, role: RoleName) => ({ kind: "user", userId, role, signInId: null }) as const;
  await record("USER_DISABLED", byPerson(admin.id, "ADMIN"));
  await record("USER_ENABLED", byPerson(other.id, "ADMIN"));
  await record("ACCOUNT_HALTED", system, { reason: "the books differ" });
  await record("ORDER_DECIDED", system, { side: "BUY", qty: "10", symbol: "AAPL" });
  await record("SIGN_IN_FAILED", { kind: "anonymous" });
  await record("SIGNED_IN", byPerson(person.id, "USER"));
  await record("USER_PROMOTED", byPerson(other.id, "ADMIN"), {}, admin.id);
  await record("AUDIT_EXPORTED", byPerson(admin.id, "ADMIN"), {}, null);
  await record("SECOND_FACTOR_REMOVED", system, { kind: "all" });
  const { json } = await callDoor(activityDoor, "GET", { token, query: "limit=9" });
  const { activities } = json?.data as unknown as { activities: { description: string }[] };
  expect(activities.map(({ description }) => description).toReversed()).toEqual([
    "Tessa Trader: Was disabled: all sign-ins ended, nothing is bought; exits and stops keep working (by You)",
    "Tessa Trader: Was enabled again (by Otto Operator)",
    "Tessa Trader: The account was halted: the books differ (by Tradewind)",
    "Tradewind: Decided to buy 10 AAPL (Tessa Trader)",
    "Tessa Trader: A sign-in was refused: wrong email or password (not signed in)",
    "Tessa Trader: Signed in",
    "You: Became an administrator; all sign-ins ended (by Otto Operator)",
    "You: Exported the audit trail",
    "Tradewind: Removed every second factor and recovery code (Tessa Trader)",
  ]);
});

it("is the end of the audit trail in words: four events unless more are asked for", async () => {
  const { json } = await callDoor(activityDoor, "GET", { token });
  const { activities } = json?.data as unknown as { activities: { id: string }[] };
  expect(activities).toHaveLength(4);
  const last = await db().auditEvent.findFirst({ orderBy: { seq: "desc" } });
  expect(activities[0]?.id).toBe(last?.seq.toString());
  expect((await callDoor(activityDoor, "GET", { token, query: "limit=51" })).status).toBe(400);
});
