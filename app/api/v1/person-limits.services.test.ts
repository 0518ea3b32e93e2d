/** Calls that cost something elsewhere are limited for each person, wherever they call from. */
import { beforeAll, expect, it } from "vitest";
import { RATE_LIMITS } from "@/lib/domain/rate-limits.ts";
import { behindOneProxy } from "@/lib/proof/fixtures/callers.ts";
import { untilCountersAreShared } from "@/lib/proof/fixtures/shared-counters.ts";
import { requestAs } from "@/lib/proof/principals/request-as.ts";
import { exportedHandlers, isServed, lineOf } from "@/lib/proof/principals/routes.ts";
import { db } from "@/lib/server/db.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";

behindOneProxy();
beforeAll(untilCountersAreShared);

const limited = (await exportedHandlers()).filter(isServed).filter(({ endpoint }) => endpoint.perPerson !== undefined);

it("checks of broker keys, new practice accounts, changes of the password, orders by hand, recomputations, rehearsals and calls of channels are limited by person", () => {
  expect(limited.map(lineOf).sort()).toEqual([
    "POST /accounts",
    "POST /accounts/oauth/start",
    "POST /accounts/practice",
    "POST /accounts/practice/start-again",
    "POST /accounts/{id}/connect-again",
    "POST /decisions/{id}/recompute",
    "POST /insight/rehearsal",
    "POST /notifications/deliveries/{id}/retry",
    "POST /notifications/push",
    "POST /notifications/webhook/rotate",
    "POST /notifications/webhook/test",
    "POST /positions/{accountId}/{symbol}/sell",
    "POST /positions/{accountId}/{symbol}/tighten-stop",
    "PUT /auth/change-password",
    "PUT /notifications/webhook",
  ]);
});

/** Opening a practice account counts where it went well: accounts.services.test.ts. */
const countsEveryCall = ({ endpoint }: (typeof limited)[number]) =>
  !RATE_LIMITS[endpoint.perPerson!].skipFailedRequests;

it.each(limited.filter(countsEveryCall).map((route) => [lineOf(route), route] as const))(
  "%s from ever new networks is one too many beyond the limit of the person, and another person is not affected",
  async (_, route) => {
    const { maxRequests } = RATE_LIMITS[route.endpoint.perPerson!];
    const call = async (token: string) => (await requestAs(route, token, { id: "none", "no-such-field": 1 })).status;
    const [token, others] = [
      await makeSignIn(db(), await makeUser(db())),
      await makeSignIn(db(), await makeUser(db())),
    ];
    const statuses = [];
    for (let n = 0; n <= maxRequests; n += 1) statuses.push(await call(token));
    expect(statuses).toEqual([...Array.from({ length: maxRequests }, () => 400), 429]);
    expect(await call(others)).toBe(400);
  },
);
