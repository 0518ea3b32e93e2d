import { expect, it, vi } from "vitest";
import { FACTORY_PASSWORD, makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { hideExistingAccount } from "./hide-existing-account.ts";
import { logIn } from "./log-in.ts";
import { noteRefusedRegistration, register } from "./register.ts";

type Compute = (...given: unknown[]) => Promise<unknown>;
const work = vi.hoisted(() => ({ hashes: 0 }));
vi.mock("@node-rs/argon2", async (original) => {
  const argon = await original<Record<"hash" | "verify", Compute>>();
  const counted =
    (compute: Compute): Compute =>
    (...given) => {
      work.hashes += 1;
      return compute(...given);
    };
  return { ...argon, hash: counted(argon.hash), verify: counted(argon.verify) };
});

const context = systemContext("test");
const RIGHT = "Stranger-Horse-7";
const person = { password: RIGHT, firstName: "Grace", lastName: "Hopper" };
/** How many hashes a call takes, whatever comes of it. */
async function hashesOf(call: () => Promise<unknown>): Promise<number> {
  const before = work.hashes;
  await call().catch(() => undefined);
  return work.hashes - before;
}
/** A registration while no caller is told who has an account. */
const enrolConcealed = (email: string, password = RIGHT) => {
  const input = { ...person, email, password };
  return register(context, input).catch((refusal) => hideExistingAccount(context, input, refusal));
};

it("a registration takes one hash, whether its address is new, known, or known and not verified", async () => {
  const known = await makeUser(db());
  const unverified = await makeUser(db(), { isVerified: false });
  for (const email of [known.email, unverified.email, "new-1@example.com"]) {
    expect.soft(await hashesOf(() => enrolConcealed(email)), email).toBe(1);
    expect.soft(await hashesOf(() => enrolConcealed(email, "Other-Horse-22")), `${email} again`).toBe(1);
  }
  expect(await db().concealedRegistration.count({ where: { userId: { in: [known.id, unverified.id] } } })).toBe(2);
});

it("one that is refused because its address had too many does, too", async () => {
  const known = await makeUser(db());
  const unverified = await makeUser(db(), { isVerified: false });
  for (const email of [known.email, unverified.email, "new-2@example.com"])
    expect.soft(await hashesOf(() => noteRefusedRegistration(context, { ...person, email })), email).toBe(1);
});

it("a sign-in takes one hash, with a right password and a wrong one, also where a registration was concealed", async () => {
  const owner = await makeUser(db());
  const [hidden, fresh] = [owner.email, "new-3@example.com"];
  for (const email of [hidden, fresh]) await enrolConcealed(email);
  for (const email of [hidden, fresh, "unknown@example.com"])
    for (const password of [RIGHT, "Wrong-Horse-1"])
      expect.soft(await hashesOf(() => logIn(context, { email, password })), `${email} ${password}`).toBe(1);
  expect(await logIn(context, { email: hidden, password: FACTORY_PASSWORD })).toMatchObject({
    user: { email: hidden },
  });
});
