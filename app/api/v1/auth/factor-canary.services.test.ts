/** Secrets of second factors are shown to their owner once, and stand in clear nowhere: not in a row, a mail, a log line or a later answer. */
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { callDoor, type Call, type Door } from "@/lib/proof/call-door.ts";
import { listenToOutput, textsInPostgres } from "@/lib/proof/fixtures/canary.ts";
import { addPasskey, codeNow, done, personWithApp, ticketOf } from "@/lib/proof/fixtures/second-factor.ts";
import { FACTORY_PASSWORD } from "@/prisma/factories.ts";
import * as exportDoor from "../users/me/export/route.ts";
import * as loginDoor from "./login/route.ts";
import * as recoveryDoor from "./recovery-codes/route.ts";
import * as secondFactorDoor from "./second-factor/route.ts";
import * as securityDoor from "./security/route.ts";
import * as signInsDoor from "./sign-ins/route.ts";
import * as optionsDoor from "./step-up/options/route.ts";
import * as stepUpDoor from "./step-up/route.ts";
import * as totpDoor from "./totp/route.ts";

const output: string[] = [];

beforeAll(() => {
  Object.assign(process.env, { LOG_LEVEL: "debug", APP_BASE_URL: "http://localhost:3000" });
  forgetEnv();
  listenToOutput(output);
});
afterAll(() => {
  vi.restoreAllMocks();
});

const answers: string[] = [];
async function call(door: Door, method: string, given: Call): Promise<number> {
  const { status, text } = await callDoor(door, method, given);
  answers.push(text);
  return status;
}

/** A secret as it stands, and as an encoding would hide it. */
const shapesOf = (secret: string) => [
  secret,
  secret.replaceAll("-", ""),
  Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  Buffer.from(secret).toString("hex"),
];

it("the secret of an authenticator app, recovery codes and tickets are nowhere to be found", async () => {
  const { user, token, secret, recoveryCodes } = await personWithApp();
  await addPasskey(token);
  const { recoveryCodes: renewed } = await done<{ recoveryCodes: string[] }>(recoveryDoor, "POST", { token, body: {} });
  const ticket = await ticketOf(user);
  expect(await call(secondFactorDoor, "POST", { body: { ticket, code: "000000" } })).toBe(400);
  expect(await call(secondFactorDoor, "POST", { body: { ticket, recoveryCode: recoveryCodes[0] } })).toBe(400);
  expect(await call(secondFactorDoor, "POST", { body: { ticket, recoveryCode: renewed[0] } })).toBe(200);
  expect(await call(stepUpDoor, "POST", { token, body: { code: codeNow(secret, 1) } })).toBe(200);
  expect(await call(totpDoor, "POST", { token, body: {} })).toBe(409);
  for (const [door, method] of [
    [securityDoor, "GET"],
    [signInsDoor, "GET"],
    [optionsDoor, "POST"],
    [loginDoor, "POST"],
  ] as const) {
    const body = door === loginDoor ? { email: user.email, password: FACTORY_PASSWORD } : {};
    expect(await call(door, method, { token, ...(method === "GET" ? {} : { body }) })).toBe(200);
  }
  const exported = await exportDoor.GET(
    new Request("http://localhost/api/v1/users/me/export", { headers: { authorization: `Bearer ${token}` } }),
    { params: Promise.resolve({}) },
  );
  await exported.arrayBuffer();

  const secrets = [secret, ...recoveryCodes, ...renewed, ticket];
  const found = (texts: string[]) =>
    secrets.flatMap((one, place) =>
      texts.some((text) => shapesOf(one).some((shape) => text.includes(shape))) ? place : [],
    );
  const rows = await textsInPostgres();
  expect(rows.some((row) => row.includes(user.id))).toBe(true);
  console.info("what is written is heard");
  expect(output).toContain("what is written is heard");
  expect(await db().outbox.count({ where: { userId: user.id } })).toBeGreaterThan(1);
  expect(found([secret])).toEqual([0]);
  expect({ rows: found(rows), output: found(output), answers: found(answers) }).toEqual({
    rows: [],
    output: [],
    answers: [],
  });
});
