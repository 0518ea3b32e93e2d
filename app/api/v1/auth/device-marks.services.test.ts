/** What the marks of a person's devices open, and that collecting them opens no more. */
import { setImmediate } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { accountKey, readDeviceMark } from "@/lib/server/secrets/device-mark.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { hashPassword } from "@/lib/server/secrets/password.ts";
import { FACTORY_PASSWORD, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { behindOneProxy, from, markIn, tally } from "@/lib/proof/fixtures/callers.ts";
import { untilCountersAreShared } from "@/lib/proof/fixtures/shared-counters.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import * as changeDoor from "./change-password/route.ts";
import * as forgotDoor from "./forgot-password/route.ts";
import * as loginDoor from "./login/route.ts";
import * as resetDoor from "./reset-password/route.ts";

const NEW_PASSWORD = "Windward-42-sails";
const WRONG = "Wrong-Horse-1";

behindOneProxy();
beforeAll(untilCountersAreShared);

const signIn = (email: string, password: string, address: string, cookie?: string) =>
  callDoor(loginDoor, "POST", { body: { email, password }, headers: from(address, cookie) });
const idOf = (cookie: string) => readDeviceMark(cookie.split("=")[1] ?? "", new Date())?.id;

async function change(signedIn: CallResult, email: string, cookie: string): Promise<CallResult> {
  const { token } = signedIn.json?.data as unknown as { token: string };
  const body = { email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD };
  return callDoor(changeDoor, "PUT", { token, body, headers: from("198.51.100.20", cookie) });
}

async function reset(user: MadeUser, newPassword: string, cookie: string): Promise<CallResult> {
  const headers = from("198.51.100.21", cookie);
  await callDoor(forgotDoor, "POST", { body: { email: user.email }, headers });
  const mail = await db().outbox.findFirstOrThrow({
    where: { recipient: user.email, template: "reset-password" },
    orderBy: { createdAt: "desc" },
  });
  const token = emailToken("RESET_PASSWORD", (mail.props as { emailTokenId: string }).emailTokenId);
  return callDoor(resetDoor, "POST", { body: { token, newPassword }, headers });
}

it("signing in again and changing the password renew the device's mark under its id; another person's mark is not renewed, and a mailed reset makes a new one", async () => {
  const [user, other] = [await makeUser(db()), await makeUser(db())];
  const first = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.20"));
  const again = await signIn(user.email, FACTORY_PASSWORD, "198.51.100.20", first);
  expect(idOf(first)).toMatch(/^[\w-]{12}$/);
  expect(idOf(markIn(again))).toBe(idOf(first));
  const changed = await change(again, user.email, first);
  expect(changed.status).toBe(200);
  expect(idOf(markIn(changed))).toBe(idOf(first));
  const others = markIn(await signIn(other.email, FACTORY_PASSWORD, "198.51.100.20", first));
  expect(idOf(others)).toMatch(/^[\w-]{12}$/);
  expect(idOf(others)).not.toBe(idOf(first));
  const mailed = await reset(user, "Leeward-43-sails", first);
  expect(mailed.status).toBe(200);
  expect(idOf(markIn(mailed))).toMatch(/^[\w-]{12}$/);
  expect(idOf(markIn(mailed))).not.toBe(idOf(first));
});

it("an owner whose own wrong passwords used up the device's budget gets in on it after a mailed reset", async () => {
  const user = await makeUser(db());
  const device = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.22"));
  const tries = await Promise.all(
    Array.from({ length: 21 }, (_, n) => signIn(user.email, `${WRONG}${n}`, "198.51.100.22", device)),
  );
  expect(tally(tries)).toEqual({ 401: 20, 429: 1 });
  const mark = markIn(await reset(user, NEW_PASSWORD, device));
  expect((await signIn(user.email, NEW_PASSWORD, "198.51.100.22", mark)).status).toBe(200);
}, 60_000);

it("an account that keeps all seats of owners at the hash full keeps neither another owner nor a new device out", async () => {
  const [owner, newcomer] = [await makeUser(db()), await makeUser(db())];
  const device = markIn(await signIn(owner.email, FACTORY_PASSWORD, "198.51.100.26"));
  const busy = { isOwnDevice: true, account: accountKey("busy@example.com") };
  let isOver = false;
  let refusals = 0;
  const loops = Array.from({ length: 30 }, async () => {
    while (!isOver)
      await hashPassword(WRONG, busy).catch(() => {
        refusals += 1;
        return setImmediate();
      });
  });
  const others = await Promise.all([
    signIn(owner.email, FACTORY_PASSWORD, "198.51.100.26", device),
    signIn(newcomer.email, FACTORY_PASSWORD, "198.51.100.27"),
  ]);
  isOver = true;
  await Promise.all(loops);
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(refusals).toBeGreaterThan(0);
});

it("marks that were collected with an earlier password check twenty passwords a day together, beside the eighty of all unknown devices; the owner's devices get in meanwhile", async () => {
  const user = await makeUser(db());
  const collected: string[] = [];
  for (let n = 0; n < 8; n += 1) collected.push(markIn(await signIn(user.email, FACTORY_PASSWORD, `10.50.${n}.7`)));
  const home = await signIn(user.email, FACTORY_PASSWORD, "198.51.100.23");
  const earlier = markIn(home);
  const changed = await change(home, user.email, earlier);
  expect(changed.status).toBe(200);
  // A device that the owner signed in on before the change is no stranger either, while no one guesses with such marks.
  expect((await signIn(user.email, NEW_PASSWORD, "198.51.100.24", earlier)).status).toBe(200);

  const guesses: CallResult[] = [];
  const guess = (n: number) => signIn(user.email, `${WRONG}${n}`, `10.51.${n}.7`, collected[n % collected.length]);
  for (let n = 0; n < 130; n += 10)
    guesses.push(...(await Promise.all(Array.from({ length: 10 }, (_, k) => guess(n + k)))));
  expect(tally(guesses)).toEqual({ 401: 100, 429: 30 });
  expect((await signIn(user.email, NEW_PASSWORD, "192.88.2.24", markIn(changed))).status).toBe(200);
}, 120_000);
