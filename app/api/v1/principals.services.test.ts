/**
 * Every route of /api/v1, found by walking the tree, called as every principal with every kind of id. Nothing here
 * names a route: what a new one needs (a valid input, an own id) is found, or asked for with a sentence.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpoint, type Endpoint } from "@/lib/contracts/endpoint.ts";
import { idIn } from "@/lib/contracts/codecs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { defineRoute } from "@/lib/server/http/route.ts";
import type { Service } from "@/lib/server/http/serve.ts";
import { startBench } from "@/lib/proof/fixtures/orders.ts";
import { checkEntry, checkSmuggling, foreignCanaries, idsAt, type Cast } from "@/lib/proof/principals/checks.ts";
import { requestAs } from "@/lib/proof/principals/request-as.ts";
import { makePerson, STRANGERS, tokenOf } from "@/lib/proof/principals/people.ts";
import {
  exportedHandlers,
  isServed,
  lineOf,
  nounBefore,
  parametersOf,
  type Served,
} from "@/lib/proof/principals/routes.ts";
import { changesSince, closeChanges, lastChange, watchRows } from "@/lib/proof/principals/changes.ts";
import { closeRows, openRows } from "@/lib/proof/principals/rows.ts";
import { sampleOf } from "@/lib/proof/principals/sample.ts";

const handlers = await exportedHandlers();
const routes = handlers.filter(isServed);
const titled = routes.map((route) => [lineOf(route), route] as const);

const cast: Cast = { people: {} as Cast["people"], secrets: [], shownToOwner: new Set() };
let exchange: Exchange;

beforeAll(async () => {
  exchange = await startBench();
  Object.assign(process.env, {
    TRUSTED_PROXIES: "1",
    LOG_LEVEL: "error",
    // No server listens there: no call of this test leaves the machine.
    ALPACA_PAPER_URL: "http://127.0.0.1:9",
    ALPACA_LIVE_URL: "http://127.0.0.2:9",
    ALPACA_DATA_URL: "http://127.0.0.3:9",
  });
  forgetEnv();
  await openRows();
  await watchRows();
  for (const name of ["user", "other", "admin"] as const) cast.people[name] = await makePerson(name);
}, 120_000);
afterAll(async () => {
  await closeChanges();
  await closeRows();
  await exchange.close();
});

describe("the tree", () => {
  it("was walked, and two hundred fields hold canaries", () => {
    expect(routes.length).toBeGreaterThan(20);
    const planted = Object.values(cast.people).reduce((sum, { fields }) => sum + fields.size, 0);
    expect(planted).toBeGreaterThanOrEqual(200);
  });

  it("exports no handler that does anything without an endpoint: the others refuse or lead to a page, administrators too", async () => {
    const nothing = handlers.filter((handler) => !isServed(handler));
    expect(nothing.length).toBeGreaterThan(routes.length);
    const endpoint = { ...(routes[0] as Served).endpoint, path: "/" as const };
    const token = await tokenOf(cast.people.admin);
    const before = await lastChange();
    const isHeadOfGet = ({ address, method }: (typeof nothing)[number]) =>
      method === "HEAD" && routes.some((route) => route.address === address && route.method === "GET");
    const answers = await Promise.all(
      nothing
        .filter((one) => !isHeadOfGet(one))
        .map(async ({ address, method, handler }) => {
          const { status, isEmpty } = await requestAs({ handler, endpoint, method }, token, {});
          const isRefusal = status === (address.includes("...") ? 404 : 405);
          return { address, method, status, isFine: isRefusal || (status === 303 && isEmpty) };
        }),
    );
    expect(answers.filter(({ isFine }) => !isFine)).toEqual([]);
    expect(await changesSince(before)).toEqual([]);
  });

  it("answers HEAD only to principals whose GET it answers", async () => {
    for (const route of routes.filter(({ method, endpoint }) => method === "GET" && endpoint.access !== "public")) {
      const head = handlers.find(({ address, method }) => address === route.address && method === "HEAD");
      if (!head) throw new Error(`${route.address} answers no HEAD`);
      for (const [who, { token, status }] of Object.entries(STRANGERS)) {
        const answer = await requestAs(
          { ...route, handler: head.handler, method: "HEAD" },
          await token(),
          sampleOf(route.endpoint),
        );
        expect(answer.status, `${who} at HEAD ${route.address}`).toBe(status);
      }
    }
  });
});

describe.each(titled)("%s", (line, route) => {
  const { method, path } = route.endpoint;

  it("has a valid input, known ids, and the endpoint of its folder", () => {
    expect(`${method} ${path}`).toBe(line);
    expect(sampleOf(route.endpoint)).toBeTypeOf("object");
    for (const name of parametersOf(route.endpoint)) idsAt(route, nounBefore(route.endpoint, name), name);
  });

  it("lets in whom it should, and shows no user's canary to another", () => checkEntry(cast, route));

  if (method !== "GET") {
    it("refuses every column of the database beside a valid input, and writes nothing", () =>
      checkSmuggling(cast, route));
  }
});

it("people saw canaries of their own all along: another user's would have shown", () => {
  const { user, other } = cast.people;
  expect([...cast.shownToOwner]).toEqual(expect.arrayContaining(["User.email", "Account.name", "Position.symbol"]));
  expect(cast.shownToOwner.size).toBeGreaterThan(5);
  expect(foreignCanaries(cast, { text: `x${user.email}x` }, other)).toEqual(["user's User.email"]);
  expect(foreignCanaries(cast, { text: `x${user.email}x` }, user)).toEqual([]);
});

describe("the matrix notices a door", () => {
  const account = z.strictObject({ id: idIn });
  const shown = z.object({ id: z.string(), name: z.string().nullable(), passwordHash: z.string().optional() });
  const read = (access: Endpoint["access"], input: z.ZodType = account, method: Endpoint["method"] = "GET") =>
    endpoint({ method, path: "/accounts/{id}", access, limit: "api", summary: "For this test.", input, output: shown });
  function served<E extends Endpoint>(promised: E, service: Service<E>): Served {
    const handler = defineRoute(promised, service);
    return { address: promised.path, method: promised.method, handler, endpoint: promised };
  }
  const anyAccount = async (_: unknown, input: unknown) => {
    const { id } = input as { id: string };
    const found = await db().account.findUnique({ where: { id }, include: { user: true } });
    if (!found) throw new Failure("not_found", "Account not found.");
    return found;
  };

  it("that forgets whose row it is", async () => {
    const door = served(read("user"), async (context, input) => {
      const { id, name } = await anyAccount(context, input);
      return { id, name };
    });
    await expect(checkEntry(cast, door)).rejects.toThrow("Account.name");
  });

  it("that any caller may enter", async () => {
    const door = served(read("public"), async (context, input) => {
      const { id, name } = await anyAccount(context, input);
      return { id, name };
    });
    await expect(checkEntry(cast, door)).rejects.toThrow("Account.name");
  });

  it("that shows people their own password's hash", async () => {
    const door = served(read("user"), async (context, input) => {
      const { id, name, userId, user } = await anyAccount(context, input);
      if (context.actor.kind !== "user" || context.actor.userId !== userId) throw new Failure("not_found", "No.");
      return { id, name, passwordHash: user.passwordHash };
    });
    await expect(checkEntry(cast, door)).rejects.toThrow("shows what must not leave the server");
  });

  it("that changes another user's row and then says that it is not there", async () => {
    const door = served(read("user", account, "DELETE"), async ({ actor }, input) => {
      const { id } = input as { id: string };
      const userId = actor.kind === "user" ? actor.userId : "";
      const changed = await db().account.updateMany({ where: { id }, data: { name: "changed" } });
      const own = await db().account.findFirst({ where: { id, userId } });
      if (changed.count === 0 || !own) throw new Failure("not_found", "No.");
      return { id, name: null };
    });
    await expect(checkEntry(cast, door)).rejects.toThrow("changed something of theirs");
  });

  it("that an access token opens where its contract does not say so", async () => {
    const promised = read("user", account, "POST");
    const opened = { ...promised, token: "STEER" } as const;
    const door = served(opened, async ({ actor }, input) => {
      const { id } = input as { id: string };
      const own = await db().account.findFirst({ where: { id, userId: actor.kind === "user" ? actor.userId : "" } });
      if (!own) throw new Failure("not_found", "No.");
      return { id, name: null };
    });
    await checkEntry(cast, door);
    await expect(checkEntry(cast, { ...door, endpoint: promised })).rejects.toThrow("STEER token");
  });

  it("that takes fields which the contract does not name", async () => {
    const loose = read("user", z.object({ id: idIn }), "POST");
    await expect(
      checkSmuggling(
        cast,
        served(loose, async () => ({ id: "x", name: null })),
      ),
    ).rejects.toThrow();
  });
});
