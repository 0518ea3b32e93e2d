import { beforeAll, beforeEach, expect, it } from "vitest";
import { authApi } from "@/lib/contracts/auth.ts";
import { RESET_REQUESTED } from "@/lib/contracts/auth-calls.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { db } from "@/lib/server/db.ts";
import type { Context } from "@/lib/server/context.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { guardEnumeration } from "@/lib/server/http/enumeration-guard.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { alertEnumeration } from "@/lib/server/services/auth/alert-enumeration.ts";
import { hashPassword } from "@/lib/server/secrets/password.ts";
import { AddressTaken } from "@/lib/server/services/auth/address-taken.ts";
import { hideExistingAccount } from "@/lib/server/services/auth/hide-existing-account.ts";
import { register } from "@/lib/server/services/auth/register.ts";
import { replacePassword } from "@/lib/server/services/auth/replace-password.ts";
import { requestPasswordReset } from "@/lib/server/services/auth/request-password-reset.ts";
import { FACTORY_PASSWORD, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { untilCountersAreShared } from "@/lib/proof/fixtures/shared-counters.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import * as resendDoor from "../email/resend-verification/route.ts";
import * as loginDoor from "./login/route.ts";

const subjectOf = ({ email }: { email: string }) => email;
const common = { subjectOf, tooMany: "Too many.", onFlood: alertEnumeration, pause: async () => undefined };
const registerDoor = defineMethods(
  defineRoute(
    authApi.register,
    guardEnumeration<typeof authApi.register>(register, {
      ...common,
      calls: "registration",
      revealingCode: "conflict",
      instead: hideExistingAccount,
    }),
  ),
);
const forgotDoor = defineMethods(
  defineRoute(
    authApi.forgotPassword,
    guardEnumeration<typeof authApi.forgotPassword>(requestPasswordReset, {
      ...common,
      calls: "reset",
      revealingCode: "not_found",
      instead: async () => ({ message: RESET_REQUESTED }),
    }),
  ),
);

let known: MadeUser[];
beforeAll(async () => {
  known = [];
  for (let n = 0; n < 60; n += 1) known.push(await makeUser(db()));
  await untilCountersAreShared();
});
beforeEach(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});

const person = { password: "Stranger-Horse-7", firstName: "Grace", lastName: "Hopper" };
let strangers = 0;
const stranger = () => `stranger-${(strangers += 1)}@example.com`;
const post = (door: Parameters<typeof callDoor>[0], body: object, address: string) =>
  callDoor(door, "POST", { body, headers: { "x-forwarded-for": address } });
const enrol = (email: string, address: string) => post(registerDoor, { ...person, email }, address);
const revealing = (answers: CallResult[]) => answers.filter(({ status }) => status === 404 || status === 409);
const spoken = ({ status, json }: CallResult) => ({ status, json: { ...json, requestId: "" } });

/** The long version, with 40: npm run prove -- enumeration. */
const BATCHES = Number(process.env.BATCHES ?? 8);

it(`${25 * BATCHES} addresses tried from one network, over all four calls that could tell, teach three of them`, async () => {
  const answers: CallResult[] = [];
  const others: CallResult[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const from = (n: number) => `203.0.113.${(batch * 25 + n) % 250}`;
    const knownOnes = known.slice((batch * 3) % 45, ((batch * 3) % 45) + 10);
    answers.push(
      ...(await Promise.all([
        ...knownOnes.map(({ email }, n) => enrol(email, from(n))),
        ...Array.from({ length: 9 }, (_, n) => post(forgotDoor, { email: stranger() }, from(10 + n))),
      ])),
    );
    others.push(
      ...(await Promise.all([
        ...[known[batch]!.email, stranger(), stranger(), stranger()].map((email, n) =>
          post(resendDoor, { email }, from(19 + n)),
        ),
      ])),
    );
    if (batch % 4 === 0)
      for (const email of [known[batch]!.email, stranger()])
        others.push(await post(loginDoor, { email, password: "Wrong-Horse-1" }, from(23)));
  }
  expect(answers.length + others.length).toBeGreaterThanOrEqual(23 * BATCHES);
  expect(revealing(answers)).toHaveLength(3);
  // The others answer one and the same, known or not.
  for (const status of [200, 401])
    expect(
      new Set(others.filter((answer) => answer.status === status).map((answer) => JSON.stringify(spoken(answer)))).size,
    ).toBe(1);
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200, 401]));
  // From then on new addresses are refused like known ones.
  expect(spoken(await enrol(stranger(), "203.0.113.250"))).toEqual(
    spoken(await enrol(known[0]!.email, "203.0.113.251")),
  );
}, 180_000);

it("a registration that fails otherwise, or goes well, uses up none of the three answers", async () => {
  const statuses: number[] = [];
  for (const email of [stranger(), stranger(), known[2]!.email, known[3]!.email, known[4]!.email, stranger()])
    statuses.push((await enrol(email, "10.2.0.1")).status);
  expect(statuses).toEqual([200, 200, 409, 409, 409, 429]);
});

it("registrations that fail for another reason than a taken address leave that address and its network all of theirs", async () => {
  const email = stranger();
  const refused = { ...person, email, password: "Password1" };
  const statuses: number[] = [];
  for (let n = 0; n < 12; n += 1) statuses.push((await post(registerDoor, refused, "10.2.1.1")).status);
  expect(new Set(statuses)).toEqual(new Set([400]));
  expect((await enrol(email, "10.2.1.1")).status).toBe(200);
});

it("registrations that the server had no room for cost nothing", async () => {
  let isFull = true;
  const door = defineMethods(
    defineRoute(
      authApi.register,
      guardEnumeration<typeof authApi.register>(
        async (context, input) => {
          if (isFull) throw new Failure("unavailable", "Too many sign-ins at once.");
          return register(context, input);
        },
        { ...common, calls: "registration", revealingCode: "conflict", instead: hideExistingAccount },
      ),
    ),
  );
  const body = { ...person, email: stranger() };
  for (let n = 0; n < 6; n += 1) expect((await post(door, body, "10.2.2.1")).status).toBe(503);
  isFull = false;
  expect((await post(door, body, "10.2.2.1")).status).toBe(200);
});

it("from fifty networks a hundred answers tell; then a known address looks like a new one, and its owner gets a mail, one a day", async () => {
  const admin = await makeUser(db(), { role: "ADMIN" });
  const users = await db().user.count();
  const answers: CallResult[] = [];
  for (let n = 0; n < 50; n += 1)
    answers.push(...(await Promise.all([0, 1, 2].map((k) => enrol(known[(3 * n + k) % 60]!.email, `10.3.${n}.1`)))));
  expect(revealing(answers).length).toBeLessThanOrEqual(100);
  expect(revealing(answers).length).toBeGreaterThan(80);
  const last = known[50]!;
  const [concealed, fresh] = [await enrol(last.email, "10.4.0.1"), await enrol(stranger(), "10.4.1.1")];
  await enrol(last.email, "10.4.2.1");
  const shapeOf = ({ status, json, headers }: CallResult) => {
    const { user, token } = json?.data as unknown as { user: Record<string, unknown>; token: null };
    const { id, email, createdAt, ...rest } = user;
    return {
      status,
      token,
      rest,
      headers: [...headers.keys()],
      id: String(id).replaceAll(/[0-9a-f]/g, "0"),
      version: String(id)[14],
      email: typeof email,
      createdAt: String(createdAt).replaceAll(/\d/g, "0"),
    };
  };
  expect(shapeOf(concealed)).toEqual(shapeOf(fresh));
  expect(shapeOf(concealed)).toMatchObject({ status: 200, token: null, version: "7" });
  const mails = await db().outbox.findMany({
    where: { recipient: last.email, dedupeKey: { startsWith: "registration-attempt:" } },
  });
  expect(mails, "sent whatever mails are switched off").toMatchObject([{ props: { urgency: "security" } }]);
  // The password of an unverified address ends with the verification, as at other times.
  const unverified = await makeUser(db(), { isVerified: false });
  expect((await enrol(unverified.email, "10.4.3.1")).status).toBe(200);
  expect(await db().user.findUniqueOrThrow({ where: { id: unverified.id } })).toMatchObject({
    registeredAgainAt: expect.any(Date) as Date,
  });
  expect(JSON.stringify(mails[0]?.props)).toContain("Someone tried to register with your address");
  // Only the strangers of this test are new; administrators are notified, once.
  expect(await db().user.count()).toBe(users + 2);
  expect(
    await db().outbox.count({ where: { recipient: admin.email, dedupeKey: { startsWith: "alert:enumeration:" } } }),
  ).toBe(1);
});

it("who registered a concealed address signs in as with a new one: the same answers, whatever they try", async () => {
  const owner = await makeUser(db());
  const [hidden, fresh] = [owner.email, stranger()];
  const conceal = async (email: string, password = person.password) =>
    hideExistingAccount(
      { db: db(), now: () => new Date(), queue: { enqueue: async () => undefined } } as unknown as Context,
      { ...person, password, email },
      new AddressTaken(await hashPassword(password)),
    );
  await conceal(hidden);
  expect((await enrol(fresh, "10.6.0.1")).status).toBe(200);
  const logIn = (email: string, password: string) => post(loginDoor, { email, password }, "10.6.1.1");
  const both = async (password: string) => {
    const answers = [await logIn(hidden, password), await logIn(fresh, password)];
    // Two calls after each other may lie on two sides of a minute.
    return answers.map((answer) => JSON.stringify(spoken(answer)).replaceAll(/\d+/g, "n"));
  };
  for (const password of [person.password, person.password, "Wrong-Horse-1", person.password]) {
    const [ofHidden, ofFresh] = await both(password);
    expect(ofHidden).toBe(ofFresh);
  }
  expect((await logIn(hidden, person.password)).status).toBe(403);
  // A second registration replaces nothing, here as there.
  await conceal(hidden, "Other-Horse-22");
  expect((await logIn(hidden, "Other-Horse-22")).status).toBe(401);
  // No mail leaves, no sign-in is opened, and the owner signs in as ever.
  expect(await db().emailToken.count({ where: { userId: owner.id } })).toBe(0);
  expect(await db().signIn.count({ where: { userId: owner.id } })).toBe(0);
  expect((await logIn(hidden, FACTORY_PASSWORD)).status).toBe(200);
  const passwordHash = await hashPassword("Better-Horse-3");
  await db().$transaction((tx) => replacePassword(tx, { userId: owner.id, passwordHash }, new Date()));
  expect((await logIn(hidden, person.password)).status).toBe(401);
});
