import { beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { FACTORY_PASSWORD, makeUser } from "@/prisma/factories.ts";
import { untilCountersAreShared } from "@/lib/proof/fixtures/shared-counters.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import * as loginDoor from "./login/route.ts";

beforeAll(untilCountersAreShared);
beforeEach(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});

const signIn = (email: string, password: string, address: string, cookie?: string) =>
  callDoor(loginDoor, "POST", {
    body: { email, password },
    headers: { "x-forwarded-for": address, ...(cookie ? { cookie } : {}) },
  });

/** Ten guesses from each of these networks. */
async function guess(email: string, block: number, networks: number): Promise<CallResult[]> {
  const answers: CallResult[] = [];
  for (let network = 0; network < networks; network += 1)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 10 }, (_, n) => signIn(email, `Wrong-Horse-${n}`, `10.${block}.${network}.${n + 1}`)),
      )),
    );
  return answers;
}
const failures = () => db().auditEvent.count({ where: { eventType: "SIGN_IN_FAILED" } });
const count = (answers: CallResult[], status: number) => answers.filter((answer) => answer.status === status).length;

it("of 150 guesses at one account from fifteen networks no more than a hundred reach the hash; the owner gets in from where they were, and is notified once", async () => {
  const user = await makeUser(db());
  const home = await signIn(user.email, FACTORY_PASSWORD, "198.51.100.7");
  const device = /tradewind\.device=[^;]+/.exec(home.headers.getSetCookie().join("\n"))?.[0];
  expect(home.headers.getSetCookie()[1]).toMatch(/; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
  const before = await failures();
  const answers = await guess(user.email, 1, 15);
  expect(count(answers, 401) + count(answers, 429) + count(answers, 503)).toBe(150);
  expect(count(answers, 401)).toBe(80);
  expect((await failures()) - before).toBe(80);

  // A stranger with the right password waits like any other; the same network, or the same device, does not.
  expect((await signIn(user.email, FACTORY_PASSWORD, "10.9.0.1")).status).toBe(429);
  expect((await signIn(user.email, FACTORY_PASSWORD, "198.51.100.200")).status).toBe(200);
  expect((await signIn(user.email, FACTORY_PASSWORD, "10.9.1.1", device)).status).toBe(200);
  const mails = await db().outbox.findMany({
    where: { recipient: user.email, dedupeKey: { startsWith: "guessing:" } },
  });
  expect(mails).toHaveLength(1);

  // The mark of one person's device is none of another's, and an altered one is none at all.
  const other = await makeUser(db());
  await guess(other.email, 2, 9);
  for (const cookie of [device, device?.replace(/=\d+/, "=99999999999"), `${device}x`, "tradewind.device=1.x"])
    expect((await signIn(other.email, FACTORY_PASSWORD, "10.9.2.1", cookie)).status).toBe(429);
  expect((await signIn(other.email, FACTORY_PASSWORD, "198.51.100.7")).status).toBe(429);

  // Guessing from the owner's own network ends after twenty more, and keeps no device of theirs from getting in.
  const near = await Promise.all(
    Array.from({ length: 40 }, (_, n) => signIn(user.email, "Wrong-Horse-1", `198.51.100.${20 + n}`)),
  );
  expect(count(near, 401) + count(near, 503)).toBeLessThanOrEqual(40);
  expect(count(near, 401)).toBeLessThanOrEqual(20);
  expect((await signIn(user.email, FACTORY_PASSWORD, "10.9.1.2", device)).status).toBe(200);
}, 180_000);

it("an unknown address is limited and answered like a known one", async () => {
  const answers = await guess("nobody@example.com", 3, 9);
  expect(count(answers, 401)).toBe(80);
  expect(await db().outbox.count({ where: { recipient: "nobody@example.com" } })).toBe(0);
});

it("of 500 sign-ins at once those that find no place at the hash are told when to retry, and nothing else happens to them", async () => {
  const before = await failures();
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      signIn(`crowd-${n}@example.com`, "Wrong-Horse-1", `10.${100 + (n >> 8)}.${n & 255}.1`),
    ),
  );
  expect(count(answers, 401) + count(answers, 503)).toBe(500);
  expect(count(answers, 401)).toBeGreaterThanOrEqual(22);
  expect(count(answers, 503)).toBeGreaterThan(0);
  for (const { status, headers, json } of answers)
    if (status === 503) {
      expect(headers.get("retry-after")).toBe("2");
      expect(json?.error).toBe("Too many people are signing in right now. Please try again in a moment.");
    }
  expect((await failures()) - before).toBe(count(answers, 401));
  // No caller that was told to retry later has used up a failure.
  const turnedAway = answers.findIndex(({ status }) => status === 503);
  expect(
    (
      await signIn(
        `crowd-${turnedAway}@example.com`,
        "Wrong-Horse-1",
        `10.${100 + (turnedAway >> 8)}.${turnedAway & 255}.1`,
      )
    ).status,
  ).toBe(401);
});
