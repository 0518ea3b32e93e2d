/** What ends a sign-in ends it with the very next call, at every route, whether Redis is there or not. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { badLine, ownRedis } from "@/scripts/own-services.mjs";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { closeQueues } from "@/lib/server/jobs/queue.ts";
import { emailToken, tokenHash } from "@/lib/server/secrets/email-token.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { requestAs } from "@/lib/proof/principals/request-as.ts";
import { exportedHandlers, isServed, type Served } from "@/lib/proof/principals/routes.ts";
import type { Sample } from "@/lib/proof/principals/sample.ts";

const routes = (await exportedHandlers()).filter(isServed);
const closed = routes.filter(({ endpoint }) => endpoint.access !== "public");
const NEW_PASSWORD = "Leeward-77-anchors";

let redis: Awaited<ReturnType<typeof ownRedis>>;
let line: Awaited<ReturnType<typeof badLine>>;

beforeAll(async () => {
  redis = await ownRedis();
  const url = new URL(redis.url);
  line = await badLine(Number(url.port));
  url.port = String(line.port);
  process.env.REDIS_URL = url.href;
  process.env.TRUSTED_PROXIES = "1";
  process.env.LOG_LEVEL = "error";
  forgetEnv();
});
afterAll(async () => {
  line.mend();
  await closeQueues();
  await line.close();
  await redis.remove();
});

function routeAt(method: string, path: string): Served {
  const found = routes.find(({ endpoint }) => endpoint.method === method && endpoint.path === path);
  if (!found) throw new Error(`there is no ${method} ${path}`);
  return found;
}

async function done(method: string, path: string, token: string | undefined, input: Sample): Promise<void> {
  const answer = await requestAs(routeAt(method, path), token, input);
  expect(answer.status, answer.text).toBe(200);
}

interface SignedIn {
  user: MadeUser;
  /** Two sign-ins of one person. */
  tokens: [string, string];
}

async function administrator(): Promise<SignedIn> {
  const user = await makeUser(db(), { role: "ADMIN" });
  return { user, tokens: [await makeSignIn(db(), user), await makeSignIn(db(), user)] };
}

const EVENTS: Record<string, { happen: (one: SignedIn) => Promise<unknown>; endsAll: boolean }> = {
  logout: { happen: ({ tokens: [token] }) => done("POST", "/auth/logout", token, {}), endsAll: false },
  "a changed password": {
    happen: ({ user, tokens: [token] }) =>
      done("PUT", "/auth/change-password", token, {
        email: user.email,
        currentPassword: FACTORY_PASSWORD,
        newPassword: NEW_PASSWORD,
      }),
    endsAll: true,
  },
  "a reset password": {
    happen: async ({ user }) => {
      const id = randomUUID();
      const token = emailToken("RESET_PASSWORD", id);
      const link = { id, kind: "RESET_PASSWORD", tokenHash: tokenHash(token) } as const;
      await db().emailToken.create({ data: { ...link, userId: user.id, expiresAt: new Date(Date.now() + 60_000) } });
      await done("POST", "/auth/reset-password", undefined, { token, newPassword: NEW_PASSWORD });
    },
    endsAll: true,
  },
  disabling: {
    happen: ({ user }) => db().user.update({ where: { id: user.id }, data: { disabledAt: new Date() } }),
    endsAll: true,
  },
  "a raised token version": {
    happen: ({ user }) => db().user.update({ where: { id: user.id }, data: { tokenVersion: { increment: 1 } } }),
    endsAll: true,
  },
  deletion: { happen: ({ user }) => db().user.delete({ where: { id: user.id } }), endsAll: true },
};

async function statusesOf(token: string): Promise<[string, number][]> {
  const answers: [string, number][] = [];
  for (const route of closed) {
    const { status } = await requestAs(route, token, {});
    answers.push([`${route.endpoint.method} ${route.endpoint.path}`, status]);
  }
  return answers;
}

/** A body that is not sent before the server reads it; `meanwhile` is over once it is there. */
const lateBody = (body: object, meanwhile: () => Promise<unknown>) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await meanwhile();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );

const MAKE_TOKEN = () => routeAt("POST", "/auth/access-tokens");
const ME = () => routeAt("GET", "/auth/me");
const ADMIN_ONLY = () => closed.filter(({ endpoint }) => endpoint.access === "admin");

describe.each([
  ["while Redis is there", () => line.mend()],
  ["while Redis is unavailable", () => line.cut()],
])("%s", (_, begin) => {
  beforeAll(() => {
    begin();
  });

  it.each(Object.entries(EVENTS))(
    "%s is felt by the next call, at every route that asks who calls",
    async (_name, event) => {
      const one = await administrator();
      const [first, second] = one.tokens;
      for (const token of one.tokens) expect((await requestAs(ME(), token, {})).status).toBe(200);
      await event.happen(one);
      const answers = await statusesOf(first);
      expect(answers.length).toBeGreaterThan(10);
      expect(answers.filter(([, status]) => status !== 401)).toEqual([]);
      expect((await requestAs(ME(), second, {})).status).toBe(event.endsAll ? 401 : 200);
    },
  );

  it.each(Object.entries(EVENTS))(
    "%s is felt by a call whose body was still on its way, and nothing comes of it",
    async (_name, event) => {
      const one = await administrator();
      const late = lateBody({ name: "late", scope: "READ", expiresInDays: 365 }, () => event.happen(one));
      const response = await MAKE_TOKEN().handler(
        new Request("http://localhost/api/v1/auth/access-tokens", {
          method: "POST",
          headers: { authorization: `Bearer ${one.tokens[0]}`, "content-type": "application/json" },
          body: late,
          duplex: "half",
        } as RequestInit),
        { params: Promise.resolve({}) },
      );
      expect(response.status).toBe(401);
      expect(await db().accessToken.count({ where: { userId: one.user.id } })).toBe(0);
    },
  );

  it("a revoked role no longer opens an administrators' route, and leaves the person's own routes open", async () => {
    const { user, tokens } = await administrator();
    await db().user.update({ where: { id: user.id }, data: { role: "USER" } });
    expect(ADMIN_ONLY().length).toBeGreaterThan(0);
    for (const route of ADMIN_ONLY()) {
      const answer = await requestAs(route, tokens[0], {});
      expect({ path: route.address, status: answer.status }).toEqual({ path: route.address, status: 403 });
    }
    expect((await requestAs(ME(), tokens[0], {})).status).toBe(200);
  });

  it("an address that is no longer verified keeps its owner out until it is", async () => {
    const user = await makeUser(db());
    const token = await makeSignIn(db(), user);
    expect((await requestAs(ME(), token, {})).status).toBe(200);
    await db().user.update({ where: { id: user.id }, data: { emailVerifiedAt: null } });
    expect(await requestAs(ME(), token, {})).toMatchObject({ status: 403, code: "email_unverified" });
  });
});
