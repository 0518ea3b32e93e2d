import { expect, it } from "vitest";
import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { behindOneProxy, from } from "@/lib/proof/fixtures/callers.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { emailToken } from "@/lib/server/secrets/email-token.ts";
import { hashPassword } from "@/lib/server/secrets/password.ts";
import { AddressTaken } from "@/lib/server/services/auth/address-taken.ts";
import { hideExistingAccount } from "@/lib/server/services/auth/hide-existing-account.ts";
import { FACTORY_PASSWORD, makeUser } from "@/prisma/factories.ts";
import * as resendDoor from "../email/resend-verification/route.ts";
import * as forgotDoor from "./forgot-password/route.ts";
import * as loginDoor from "./login/route.ts";
import * as registerDoor from "./register/route.ts";
import * as resetDoor from "./reset-password/route.ts";
import * as verifyDoor from "./verify-email/route.ts";

behindOneProxy();

const STRANGERS = "Stranger-Horse-7";
const OWNERS = "Owners-Horse-22";
let addresses = 0;
const newAddress = () => `owner-${(addresses += 1)}@example.com`;
/** Each call comes from a network of its own: limits are tried elsewhere. */
let networks = 0;
const post = (door: Parameters<typeof callDoor>[0], body: object) => {
  networks += 1;
  return callDoor(door, "POST", { body, headers: from(`10.${networks >> 8}.${networks % 256}.1`) });
};
const enrol = async (email: string, password: string) =>
  (await post(registerDoor, { email, password, firstName: "Grace", lastName: "Hopper" })).status;
const signIn = async (email: string, password: string) => (await post(loginDoor, { email, password })).status;
const verify = async (token: string) =>
  (await post(verifyDoor, { token })).json?.data as unknown as Given<typeof authApi.verifyEmail>;
/** The newest link of this kind in the mailbox. */
async function newestLink(email: string, template: "verify-email" | "reset-password"): Promise<string> {
  const { props } = await db().outbox.findFirstOrThrow({
    where: { recipient: email, template },
    orderBy: { createdAt: "desc" },
  });
  const kind = template === "verify-email" ? "VERIFY_EMAIL" : "RESET_PASSWORD";
  return emailToken(kind, (props as { emailTokenId: string }).emailTokenId);
}

it("who registered an address ahead of its owner does not sign in once the owner verified it, and the owner chooses the password", async () => {
  const email = newAddress();
  expect(await enrol(email, STRANGERS)).toBe(200);
  const fromTheStranger = await newestLink(email, "verify-email");
  expect(await enrol(email, OWNERS)).toBe(409);
  expect((await post(resendDoor, { email })).status).toBe(200);
  expect(await newestLink(email, "verify-email")).not.toBe(fromTheStranger);
  // Whichever of the mails the owner takes: here the one that the stranger's registration sent.
  const { resetToken } = await verify(fromTheStranger);
  expect(resetToken).toEqual(expect.any(String));
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 401]);
  const again = await verify(fromTheStranger);
  expect(again.resetToken, "who lost the answer gets another").toEqual(expect.any(String));
  expect((await post(resetDoor, { token: resetToken, newPassword: OWNERS })).status).toBe(200);
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 200]);
  expect(await verify(fromTheStranger), "a later use tells no token").toEqual({ verified: true, resetToken: null });
  const { id: subjectUserId } = await db().user.findUniqueOrThrow({ where: { email } });
  const [event] = await db().auditEvent.findMany({ where: { eventType: "EMAIL_VERIFIED", subjectUserId } });
  expect(event?.data).toEqual({ passwordEnded: true });
});

it("a stranger who uses up the registrations of an address does not sign in once its owner verified it", async () => {
  const email = newAddress();
  const strangers = [];
  for (let n = 0; n < 6; n += 1) strangers.push(await enrol(email, STRANGERS));
  expect(strangers.at(-1)).toBe(429);
  const again = () => db().user.findUniqueOrThrow({ where: { email }, select: { registeredAgainAt: true } });
  expect(await again(), "the same password once more is no second registration").toEqual({ registeredAgainAt: null });
  expect(await enrol(email, OWNERS)).toBe(429);
  expect((await verify(await newestLink(email, "verify-email"))).resetToken).toEqual(expect.any(String));
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 401]);
});

it("registrations refused for one address cost their network what others cost", async () => {
  const email = newAddress();
  for (let n = 0; n < 5; n += 1) await enrol(email, STRANGERS);
  const body = { email, password: OWNERS, firstName: "Grace", lastName: "Hopper" };
  const here = from("10.200.0.1");
  for (let n = 0; n < 10; n += 1)
    expect((await callDoor(registerDoor, "POST", { body, headers: here })).status).toBe(429);
  const other = { ...body, email: newAddress() };
  expect((await callDoor(registerDoor, "POST", { body: other, headers: here })).status).toBe(429);
});

it("an owner who leaves the page without choosing a password is let in by a reset", async () => {
  const email = newAddress();
  await enrol(email, STRANGERS);
  await enrol(email, OWNERS);
  await verify(await newestLink(email, "verify-email"));
  expect((await post(forgotDoor, { email })).status).toBe(200);
  const token = await newestLink(email, "reset-password");
  expect((await post(resetDoor, { token, newPassword: OWNERS })).status).toBe(200);
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 200]);
});

it("a registration that came once, or twice with one password, keeps it", async () => {
  for (const times of [1, 2]) {
    const email = newAddress();
    for (let n = 0; n < times; n += 1) await enrol(email, OWNERS);
    expect(await verify(await newestLink(email, "verify-email"))).toEqual({ verified: true, resetToken: null });
    expect(await signIn(email, OWNERS)).toBe(200);
  }
});

it("a password that was chosen through the mailbox before the verification holds", async () => {
  const email = newAddress();
  await enrol(email, STRANGERS);
  await enrol(email, OWNERS);
  await post(forgotDoor, { email });
  const token = await newestLink(email, "reset-password");
  expect((await post(resetDoor, { token, newPassword: OWNERS })).status).toBe(200);
  expect(await verify(await newestLink(email, "verify-email"))).toEqual({ verified: true, resetToken: null });
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 200]);
});

it("a verified account keeps its password, whatever is registered again", async () => {
  const { email } = await makeUser(db());
  expect(await enrol(email, STRANGERS)).toBe(409);
  expect([await signIn(email, STRANGERS), await signIn(email, FACTORY_PASSWORD)]).toEqual([401, 200]);
});

it("of a registration and a verification at once, either the password holds and the second came too late, or it has ended", async () => {
  for (let round = 0; round < 6; round += 1) {
    const email = newAddress();
    await enrol(email, STRANGERS);
    const link = await newestLink(email, "verify-email");
    const [status, verified] = await Promise.all([enrol(email, OWNERS), verify(link)]);
    expect(status).toBe(409);
    expect(await signIn(email, STRANGERS)).toBe(verified.resetToken === null ? 200 : 401);
    expect(await db().user.findUniqueOrThrow({ where: { email } })).toMatchObject({ registeredAgainAt: null });
  }
});

it("a reset that is under way when the address is verified gives its password", async () => {
  const email = newAddress();
  await enrol(email, STRANGERS);
  await enrol(email, OWNERS);
  await post(forgotDoor, { email });
  const [token, link] = [await newestLink(email, "reset-password"), await newestLink(email, "verify-email")];
  const [{ status }] = await Promise.all([post(resetDoor, { token, newPassword: OWNERS }), verify(link)]);
  expect(status).toBe(200);
  expect([await signIn(email, STRANGERS), await signIn(email, OWNERS)]).toEqual([401, 200]);
});

it("in a flood an unverified address gets its link, without a word of who registered it, and a sign-in is answered as to a new one", async () => {
  const email = newAddress();
  await enrol(email, STRANGERS);
  await hideExistingAccount(
    { db: db(), now: () => new Date(), queue: { enqueue: async () => undefined } } as unknown as Context,
    { email, password: OWNERS, firstName: "Grace", lastName: "Hopper" },
    new AddressTaken(await hashPassword(OWNERS)),
  );
  expect(await db().outbox.count({ where: { recipient: email, template: "verify-email" } })).toBe(2);
  expect(await db().outbox.count({ where: { recipient: email, template: { not: "verify-email" } } })).toBe(0);
  expect([await signIn(email, OWNERS), await signIn(email, STRANGERS)]).toEqual([403, 403]);
  await verify(await newestLink(email, "verify-email"));
  expect(await signIn(email, OWNERS)).toBe(401);
});
