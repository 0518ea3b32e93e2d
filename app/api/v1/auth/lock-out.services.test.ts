/** No owner is locked out: what strangers do with wrong passwords never refuses the owner's right one. */
import { afterEach, beforeAll, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { from, markIn, tally } from "@/lib/proof/fixtures/callers.ts";
import { untilCountersAreShared } from "@/lib/proof/fixtures/shared-counters.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import * as eraseDoor from "../users/me/erase/route.ts";
import * as changeDoor from "./change-password/route.ts";
import * as forgotDoor from "./forgot-password/route.ts";
import * as loginDoor from "./login/route.ts";
import * as logoutDoor from "./logout/route.ts";
import * as resetDoor from "./reset-password/route.ts";

const NEW_PASSWORD = "Windward-42-sails";
const WRONG = "Wrong-Horse-1";
const GUESSERS = 200;
/** The long version, with 1,000: npm run prove -- lock-out. */
const GUESSES = Number(process.env.GUESSES ?? 250);

beforeAll(untilCountersAreShared);
afterEach(() => {
  delete process.env.TRUSTED_PROXIES;
  forgetEnv();
});

const behind = (proxies: "0" | "1") => {
  process.env.TRUSTED_PROXIES = proxies;
  forgetEnv();
};
const signIn = (email: string, password: string, address: string, cookie?: string) =>
  callDoor(loginDoor, "POST", { body: { email, password }, headers: from(address, cookie) });

/** As many find a place at the hash; with more at once some are told to retry. */
const SEATED = 20;
const CROWDED = 50;

/** Guesses from 200 addresses of as many networks, so many under way at a time; `meanwhile` is called while they are. */
async function attack(
  guesses: number,
  block: number,
  emailOf: (n: number) => string,
  { atOnce = SEATED, meanwhile = async () => undefined as unknown } = {},
): Promise<CallResult[]> {
  const answers: CallResult[] = [];
  for (let begun = 0; begun < guesses; begun += atOnce) {
    const under = Array.from({ length: atOnce }, (_, k) => {
      const n = begun + k;
      return signIn(emailOf(n), `${WRONG}${n}`, `10.${block}.${n % GUESSERS}.7`);
    });
    await meanwhile();
    answers.push(...(await Promise.all(under)));
  }
  return answers;
}

/** The token of a link in the owner's mailbox. */
async function mailedToken(user: MadeUser): Promise<string> {
  const mail = await db().outbox.findFirstOrThrow({
    where: { recipient: user.email, template: "reset-password" },
    orderBy: { createdAt: "desc" },
  });
  return emailToken("RESET_PASSWORD", (mail.props as { emailTokenId: string }).emailTokenId);
}

it.each([
  ["with a proxy that tells addresses", "1", 20],
  ["where no address is known", "0", 21],
] as const)(
  `%s, during ${GUESSES} guesses from 200 addresses the owner signs in at the first try from a marked device, and after a mailed reset from a new one`,
  async (_, proxies, block) => {
    behind(proxies);
    const user = await makeUser(db());
    const device = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.7"));
    const owners: CallResult[] = [];
    const answers = await attack(GUESSES, block, () => user.email, {
      atOnce: CROWDED,
      meanwhile: async () => owners.push(await signIn(user.email, FACTORY_PASSWORD, "192.0.2.9", device)),
    });
    expect(tally(owners)).toEqual({ 200: GUESSES / CROWDED });
    // What reaches the hash of one account is 80 a day.
    const { 401: checked = 0 } = tally(answers);
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(80);

    // A new device in a new network has to wait, and gets in with the link from the mailbox.
    expect((await signIn(user.email, FACTORY_PASSWORD, "192.88.2.200")).status).toBe(429);
    const asked = await callDoor(forgotDoor, "POST", { body: { email: user.email }, headers: from("192.88.2.200") });
    expect(asked.status).toBe(200);
    const reset = await callDoor(resetDoor, "POST", {
      body: { token: await mailedToken(user), newPassword: NEW_PASSWORD },
      headers: from("192.88.2.200"),
    });
    expect(reset.status).toBe(200);
    expect((await signIn(user.email, NEW_PASSWORD, "192.88.2.200")).status).toBe(429);
    expect((await signIn(user.email, NEW_PASSWORD, "192.88.2.200", markIn(reset))).status).toBe(200);
  },
  240_000,
);

it("a crowd at the hash makes it refuse strangers, not the device of an owner", async () => {
  behind("1");
  const user = await makeUser(db());
  const device = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.8"));
  const crowd = Array.from({ length: 200 }, (_, n) => signIn(`crowd-${n}@example.com`, WRONG, `10.30.${n}.7`));
  const owner = await signIn(user.email, FACTORY_PASSWORD, "192.0.2.10", device);
  expect(owner.status).toBe(200);
  expect(tally(await Promise.all(crowd))[503]).toBeGreaterThan(0);
});

it("where no address is known, 450 failed sign-ins at other people's accounts keep no user from signing out, changing the password and erasing themselves", async () => {
  behind("0");
  const [user, leaving] = [await makeUser(db()), await makeUser(db())];
  const device = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.9"));
  const [token, leaver] = [await makeSignIn(db(), user), await makeSignIn(db(), leaving)];
  const answers = await attack(450, 31, (n) => `stranger-${n}@example.com`);
  expect(tally(answers)[429]).toBeGreaterThan(0);
  expect((await signIn(user.email, FACTORY_PASSWORD, "192.0.2.11", device)).status).toBe(200);
  const body = { email: user.email, currentPassword: FACTORY_PASSWORD, newPassword: NEW_PASSWORD };
  const changed = await callDoor(changeDoor, "PUT", { token, body });
  expect(changed.status).toBe(200);
  const { token: next } = changed.json?.data as unknown as { token: string };
  expect((await callDoor(logoutDoor, "POST", { token: next })).status).toBe(200);
  const erase = { password: FACTORY_PASSWORD, confirmation: "DELETE" };
  expect((await callDoor(eraseDoor, "POST", { token: leaver, body: erase })).status).toBe(200);
}, 120_000);

it("wrong passwords of one person at the erasure do not refuse another user's right one", async () => {
  behind("0");
  const [user, other] = [await makeUser(db()), await makeUser(db())];
  const [token, others] = [await makeSignIn(db(), user), await makeSignIn(db(), other)];
  const erase = (of: string, password: string) =>
    callDoor(eraseDoor, "POST", { token: of, body: { password, confirmation: "DELETE" } });
  const guesses: CallResult[] = [];
  for (let n = 0; n < 12; n += 1) guesses.push(await erase(token, `${WRONG}${n}`));
  expect(tally(guesses)).toEqual({ 400: 10, 429: 2 });
  expect((await erase(others, FACTORY_PASSWORD)).status).toBe(200);
});

it("a stolen token guesses no faster than a stranger: change, erasure and sign-in share one budget, and the owner is notified of it once an hour", async () => {
  behind("1");
  const user = await makeUser(db());
  const tokens = await Promise.all(Array.from({ length: 12 }, () => makeSignIn(db(), user)));
  const tried: CallResult[] = [];
  for (let n = 0; n < 60; n += 1) {
    const token = tokens[n % tokens.length] ?? "";
    const headers = from(`10.32.${n}.7`);
    tried.push(
      n % 2
        ? await callDoor(changeDoor, "PUT", {
            token,
            headers,
            body: { email: user.email, currentPassword: `${WRONG}${n}`, newPassword: NEW_PASSWORD },
          })
        : await callDoor(eraseDoor, "POST", {
            token,
            headers,
            body: { password: `${WRONG}${n}`, confirmation: "DELETE" },
          }),
    );
  }
  // Ten in a quarter of an hour for all calls of the person, from whatever address and sign-in.
  expect(tally(tried)).toEqual({ 400: 10, 429: 50 });
  // They count among the eighty of the day.
  const { 401: left } = tally(await attack(GUESSERS, 33, () => user.email));
  expect(left).toBe(70);
  const notifications = await db().notification.findMany({
    where: { userId: user.id, title: "A wrong password was entered for your account" },
  });
  expect(notifications).toMatchObject([{ kind: "SECURITY", link: "/settings?tab=security" }]);
  const mails = await db().outbox.findMany({ where: { recipient: user.email, template: "wrong-password" } });
  expect(mails).toHaveLength(1);
  // The owner at a device of theirs changes it all the same.
  const device = markIn(await resetWithLink(user));
  const signed = await signIn(user.email, "Leeward-43-sails", "192.0.2.12", device);
  const { token } = signed.json?.data as unknown as { token: string };
  const body = { email: user.email, currentPassword: "Leeward-43-sails", newPassword: NEW_PASSWORD };
  const headers = from("192.0.2.12", device);
  expect((await callDoor(changeDoor, "PUT", { token, body, headers })).status).toBe(200);
}, 120_000);

async function resetWithLink(user: MadeUser): Promise<CallResult> {
  const headers = from("192.0.2.12");
  await callDoor(forgotDoor, "POST", { body: { email: user.email }, headers });
  return callDoor(resetDoor, "POST", {
    body: { token: await mailedToken(user), newPassword: "Leeward-43-sails" },
    headers,
  });
}

it("a marked device guesses twenty times a day at its own account, and no more at another's than a stranger", async () => {
  behind("1");
  const [user, other] = [await makeUser(db()), await makeUser(db())];
  const device = markIn(await signIn(user.email, FACTORY_PASSWORD, "198.51.100.13"));
  const own: CallResult[] = [];
  for (let n = 0; n < 25; n += 1) own.push(await signIn(user.email, `${WRONG}${n}`, `10.34.${n}.7`, device));
  expect(tally(own)).toEqual({ 401: 20, 429: 5 });
  const others: CallResult[] = [];
  for (let n = 0; n < 12; n += 1) others.push(await signIn(other.email, `${WRONG}${n}`, "10.35.0.7", device));
  expect(tally(others)).toEqual({ 401: 10, 429: 2 });
}, 60_000);

it(`${GUESSES} addresses check eighty passwords of an account in a day, however many they guess`, async () => {
  behind("1");
  const emails = [(await makeUser(db())).email, (await makeUser(db())).email, (await makeUser(db())).email];
  const at = (n: number) => `10.${40 + Math.floor(n / 250)}.${n % 250}.7`;
  const guess = async (emailOf: (n: number) => string) => {
    const answers: CallResult[] = [];
    for (let n = 0; n < GUESSES; n += SEATED) {
      const batch = Array.from({ length: Math.min(SEATED, GUESSES - n) }, (_, k) =>
        signIn(emailOf(n + k), `${WRONG}${n + k}`, at(n + k)),
      );
      answers.push(...(await Promise.all(batch)));
    }
    return tally(answers);
  };
  expect(await guess(() => emails[0] ?? "")).toEqual({ 401: 80, 429: GUESSES - 80 });
  expect(await guess((n) => emails[1 + (n % 2)] ?? "")).toEqual({ 401: 160, 429: GUESSES - 160 });
}, 300_000);
