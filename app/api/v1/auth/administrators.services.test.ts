import { beforeEach, expect, it } from "vitest";
import type { Policy } from "@/lib/domain/policy.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { asJson } from "@/lib/server/core/json.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { contentHash } from "@/lib/server/services/policy/content-hash.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { firstPolicyAlone } from "@/lib/proof/fixtures/policy.ts";
import { codeNow, done, personWithApp, ticketOf } from "@/lib/proof/fixtures/second-factor.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import * as systemDoor from "../admin/system/route.ts";
import * as activateDoor from "../admin/policy/versions/[version]/activate/route.ts";
import * as tailDoor from "../logs/tail/route.ts";
import * as loginDoor from "./login/route.ts";
import * as meDoor from "./me/route.ts";
import * as secondFactorDoor from "./second-factor/route.ts";
import * as securityDoor from "./security/route.ts";
import * as confirmDoor from "./totp/confirm/route.ts";
import * as totpDoor from "./totp/route.ts";

const REFUSED = { status: 403, json: { code: "second_factor_required_of_admin" } };

beforeEach(async () => {
  process.env.APP_BASE_URL = "http://localhost:3000";
  forgetEnv();
  await firstPolicyAlone();
});

const withRule = (policy: Policy, version: string, isOn = true): Policy => ({
  ...policy,
  version,
  orders_execution: { ...policy.orders_execution, require_admin_second_factor: isOn ? 1 : 0 },
});

/** The rule comes into force, as an activation leaves it. */
async function requireFactor(isOn = true): Promise<void> {
  const policy = await activePolicy(systemContext("test"));
  await bypassingTriggers(async (tx) => {
    await tx.policyVersion.update({
      where: { version: policy.version },
      data: { content: asJson(withRule(policy, policy.version, isOn)) },
    });
  });
}

const console_ = (token: string) => callDoor(systemDoor, "GET", { token });
const administrator = async (): Promise<{ user: MadeUser; token: string }> => {
  const user = await makeUser(db(), { role: "ADMIN" });
  return { user, token: await makeSignIn(db(), user) };
};

it("without the rule administrators need no second factor", async () => {
  const { token } = await administrator();
  expect((await console_(token)).status).toBe(200);
  expect(await done(securityDoor, "GET", { token })).toMatchObject({ isRequired: false });
});

it("under the rule the console is closed to an administrator without a factor from the next call on, and opens with one; no administrator is locked out", async () => {
  const { user, token } = await administrator();
  expect((await console_(token)).status).toBe(200);
  await requireFactor();
  expect(await console_(token)).toMatchObject(REFUSED);
  expect((await console_(token)).json?.error).toContain("Settings, Security");

  const again = await done<{ token: string }>(loginDoor, "POST", {
    body: { email: user.email, password: FACTORY_PASSWORD },
  });
  expect(await done(meDoor, "GET", { token: again.token })).toMatchObject({ role: "ADMIN" });
  expect(await done(securityDoor, "GET", { token: again.token })).toMatchObject({ isRequired: true });
  const { secret } = await done<{ secret: string }>(totpDoor, "POST", { token: again.token, body: {} });
  expect(await console_(again.token)).toMatchObject(REFUSED);
  await done(confirmDoor, "POST", { token: again.token, body: { code: codeNow(secret) } });
  expect((await console_(again.token)).status).toBe(200);
  await done(totpDoor, "DELETE", { token: again.token });
  expect(await console_(again.token)).toMatchObject(REFUSED);
  await requireFactor(false);
  expect((await console_(again.token)).status).toBe(200);
});

it("people without the role feel nothing of the rule", async () => {
  await requireFactor();
  const token = await makeSignIn(db(), await makeUser(db()));
  expect(await done(securityDoor, "GET", { token })).toMatchObject({ isRequired: false });
  expect(await console_(token)).toMatchObject({ status: 403, json: { code: "forbidden" } });
});

it("under the rule an administrator without a factor has no administrator's powers at the routes of all users either", async () => {
  const { token } = await administrator();
  const other = await makeUser(db());
  await db().logEvent.create({ data: { level: "info", message: "an event of another person", userId: other.id } });
  const tail = async () => (await callDoor(tailDoor, "GET", { token })).text;
  expect(await tail()).toContain("an event of another person");
  await requireFactor();
  expect(await tail()).not.toContain("an event of another person");
});

it("an administrator with a factor signs in with both, and into the console", async () => {
  await requireFactor();
  const { user, secret } = await personWithApp({ role: "ADMIN" });
  const { token } = await done<{ token: string }>(secondFactorDoor, "POST", {
    body: { ticket: await ticketOf(user), code: codeNow(secret, 1) },
  });
  expect((await console_(token)).status).toBe(200);
});

it("the rule is put in force by an administrator who has a factor alone", async () => {
  const policy = withRule(await activePolicy(systemContext("test")), "2.9.1");
  const draft = await db().policyVersion.create({
    data: { version: "2.9.1", status: "DRAFT", content: asJson(policy), basedOn: "2.9.0" },
  });
  const { token, user } = await administrator();
  await db().whatIf.create({
    data: {
      version: "2.9.1",
      contentHash: contentHash(policy),
      status: "DONE",
      requestedById: user.id,
      policy: asJson(policy),
      cycles: 1,
      startedAt: new Date(),
      finishedAt: new Date(),
      report: {},
    },
  });
  const activate = (bearer: string) =>
    callDoor(activateDoor, "POST", {
      token: bearer,
      params: { version: "2.9.1" },
      body: { revision: draft.revision, replaces: "2.9.0", confirm: "2.9.1" },
    });
  expect(await activate(token)).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining("second factor") as string },
  });
  const { token: withFactor } = await personWithApp({ role: "ADMIN" });
  expect((await activate(withFactor)).status).toBe(200);
  expect(await console_(token)).toMatchObject(REFUSED);
});
