import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { forgetPerson } from "@/lib/server/services/erasure/forget-person.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { seedPeople } from "./seed-people.ts";

const SETTINGS = ["ADMIN_EMAIL", "ADMIN_PASSWORD", "DATA_DIR", "DEMO"] as const;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "tradewind-seed-"));
const kept = { ...process.env };
afterAll(() => {
  for (const name of SETTINGS) {
    if (kept[name] === undefined) delete process.env[name];
    else process.env[name] = kept[name];
  }
  forgetEnv();
  fs.rmSync(work, { recursive: true });
});
let dataDir = "";
beforeEach(async () => {
  dataDir = fs.mkdtempSync(path.join(work, "data-"));
  await db().user.updateMany({ data: { role: "USER" } });
});

const FIRST = { ADMIN_EMAIL: "first@example.com", ADMIN_PASSWORD: "Correct-Horse-1" };

const context = systemContext("test");
/** As each start does. */
async function seed(settings: Partial<Record<(typeof SETTINGS)[number], string>>): Promise<void> {
  const given: Record<string, string> = { DATA_DIR: dataDir, DEMO: "0", ...settings };
  for (const name of SETTINGS) {
    if (given[name] === undefined) delete process.env[name];
    else process.env[name] = given[name];
  }
  forgetEnv();
  await seedPeople(context);
}
const administrators = async () =>
  (await db().user.findMany({ where: { role: "ADMIN" }, orderBy: { email: "asc" } })).map(({ email }) => email);
const demo = () => JSON.parse(fs.readFileSync(path.join(dataDir, "demo.json"), "utf8")) as Record<string, object>;

async function erase(email: string): Promise<void> {
  const { id: userId } = await db().user.findUniqueOrThrow({ where: { email } });
  const entry = { actor: context.actor, subjectUserId: userId, eventType: "USER_ERASED" as const, data: {} };
  await forgetPerson(context, { userId, unusableHash: "x" }, entry);
}

it("the first administrators are made once: who erased themselves since does not come back with the next start", async () => {
  const settings = { ...FIRST, DEMO: "1" };
  await seed(settings);
  expect(await administrators()).toEqual(["admin@tradewind.example", "first@example.com"]);
  expect(Object.keys(demo()).sort()).toEqual(["admin", "trader"]);
  const printed = demo();
  await seed(settings);
  expect(demo()).toEqual(printed);
  await erase("admin@tradewind.example");
  await db().user.create({
    data: { email: "other@example.com", firstName: "O", lastName: "T", passwordHash: "x", role: "ADMIN" },
  });
  await erase("first@example.com");
  await seed(settings);
  expect(await administrators()).toEqual(["other@example.com"]);
  // What the start prints has no sign-in that is gone.
  expect(demo()).toEqual({ trader: printed.trader });
});

it("a demo that is switched on later has a trader, and no administrator beside the one who is there", async () => {
  await seed({ ADMIN_EMAIL: "earlier@example.com", ADMIN_PASSWORD: "Correct-Horse-1" });
  await seed({ DEMO: "1" });
  expect(await administrators()).toEqual(["earlier@example.com"]);
  expect(Object.keys(demo())).toEqual(["trader"]);
});
