import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { allEndpoints } from "@/lib/contracts/api.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const here = import.meta.dirname;
const files = readdirSync(here, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "route.ts",
);

/** What the route files promise: the path that their folder is, and the endpoint that each method serves. */
const served: { path: string; method: string; endpoint: Endpoint }[] = [];
const doors = new Map<string, Record<string, { endpoint?: Endpoint }>>();

beforeAll(async () => {
  for (const file of files) {
    const door = (await import(path.join(here, file))) as Record<string, { endpoint?: Endpoint }>;
    const address = `/${path.dirname(file).split(path.sep).join("/")}`.replace(/\[([^\]]+)\]/g, "{$1}");
    doors.set(address, door);
    for (const method of METHODS) {
      const endpoint = method === "HEAD" ? undefined : door[method]?.endpoint;
      if (endpoint) served.push({ path: address, method, endpoint });
    }
  }
}, 60_000);

const line = ({ method, path: address }: { method: string; path: string }) => `${method} ${address}`;

it("the walk saw the route files", () => {
  expect(files.length).toBeGreaterThan(10);
});

it("no two endpoints share a method and a path", () => {
  const lines = allEndpoints.map(line);
  expect(lines.filter((one, index) => lines.indexOf(one) !== index)).toEqual([]);
});

it("every endpoint has its route file, and no route file serves what no contract names", () => {
  expect(served.map(line).sort()).toEqual(allEndpoints.map(line).sort());
});

it("each route serves the very endpoint of its path", () => {
  for (const { path: address, method, endpoint } of served) {
    expect(line(endpoint)).toBe(`${method} ${address}`);
    expect(allEndpoints).toContain(endpoint);
  }
});

it("every route file answers every method, if only with 405", () => {
  for (const [address, door] of doors) {
    expect({ address, methods: METHODS.filter((method) => typeof door[method] === "function") }).toEqual({
      address,
      methods: METHODS,
    });
  }
});

it("who may call what", () => {
  const lines = allEndpoints.map((endpoint) => `${line(endpoint)} ${endpoint.access}`).sort();
  expect(lines).toMatchInlineSnapshot(`
    [
      "DELETE /accounts/{id} user",
      "DELETE /admin/feature-flags/{id} admin",
      "DELETE /admin/policy/versions/{version} admin",
      "DELETE /admin/rate-limits/{id} admin",
      "DELETE /auth/access-tokens/{id} user",
      "DELETE /auth/passkeys/{id} user",
      "DELETE /auth/sign-ins/{id} user",
      "DELETE /auth/totp user",
      "DELETE /backtests/{id} user",
      "DELETE /notifications/push/{id} user",
      "DELETE /notifications/webhook user",
      "GET /accounts user",
      "GET /admin/all-audit-logs admin",
      "GET /admin/all-trades admin",
      "GET /admin/all-trades/export admin",
      "GET /admin/all-trades/{id} admin",
      "GET /admin/audit/export admin",
      "GET /admin/biweekly-rotation/config admin",
      "GET /admin/biweekly-rotation/plans admin",
      "GET /admin/biweekly-rotation/plans/{planId} admin",
      "GET /admin/feature-flags admin",
      "GET /admin/invariants admin",
      "GET /admin/kill-switch admin",
      "GET /admin/metrics admin",
      "GET /admin/operations admin",
      "GET /admin/policy admin",
      "GET /admin/policy/diff admin",
      "GET /admin/policy/versions admin",
      "GET /admin/policy/versions/{version} admin",
      "GET /admin/policy/what-ifs/{id} admin",
      "GET /admin/practice-market admin",
      "GET /admin/provider-performance admin",
      "GET /admin/queue/status admin",
      "GET /admin/rate-limits admin",
      "GET /admin/readiness admin",
      "GET /admin/recent-activity admin",
      "GET /admin/symbols/{symbol} admin",
      "GET /admin/system admin",
      "GET /admin/trading-success-rate admin",
      "GET /admin/users admin",
      "GET /admin/users/{id} admin",
      "GET /auth/access-tokens user",
      "GET /auth/me user",
      "GET /auth/security user",
      "GET /auth/sign-ins user",
      "GET /automation/heartbeat user",
      "GET /automation/market user",
      "GET /automation/pause user",
      "GET /backtests user",
      "GET /backtests/options user",
      "GET /backtests/{id} user",
      "GET /backtests/{id}/grid user",
      "GET /decisions user",
      "GET /decisions/{id} user",
      "GET /demo public",
      "GET /flags user",
      "GET /health/live public",
      "GET /health/ready public",
      "GET /insight/daily user",
      "GET /insight/decisions/{id} user",
      "GET /insight/rotation/{planId} admin",
      "GET /insight/today user",
      "GET /insight/trades/{id} user",
      "GET /logs/audit user",
      "GET /logs/daily-review user",
      "GET /logs/export user",
      "GET /logs/tail user",
      "GET /notifications user",
      "GET /notifications/deliveries user",
      "GET /notifications/push user",
      "GET /notifications/webhook user",
      "GET /openapi.json public",
      "GET /performance user",
      "GET /performance/markers user",
      "GET /performance/trips user",
      "GET /performance/weeks user",
      "GET /performance/weeks/{week} user",
      "GET /portfolio/equity user",
      "GET /portfolio/position-lines user",
      "GET /portfolio/positions user",
      "GET /portfolio/summary user",
      "GET /positions/requests/{requestId} user",
      "GET /positions/{accountId}/{symbol} user",
      "GET /preferences/notifications user",
      "GET /preferences/preview/{id} user",
      "GET /preferences/profile user",
      "GET /preferences/quiet-hours user",
      "GET /preferences/strategies user",
      "GET /preferences/trading user",
      "GET /selectors/earnings-watchlist admin",
      "GET /selectors/qa-results admin",
      "GET /selectors/qa-results/history admin",
      "GET /selectors/top50 admin",
      "GET /symbols/{symbol} user",
      "GET /symbols/{symbol}/bars user",
      "GET /trades user",
      "GET /trades/export user",
      "GET /trades/{id} user",
      "GET /users/me/export user",
      "PATCH /accounts/{id} user",
      "PATCH /admin/biweekly-rotation/config admin",
      "PATCH /admin/policy/versions/{version} admin",
      "PATCH /auth/passkeys/{id} user",
      "POST /accounts user",
      "POST /accounts/oauth/finish user",
      "POST /accounts/oauth/start user",
      "POST /accounts/practice user",
      "POST /accounts/practice/start-again user",
      "POST /accounts/{id}/confirm-live user",
      "POST /accounts/{id}/connect-again user",
      "POST /accounts/{id}/resume user",
      "POST /admin/accounts/{id}/activities/book admin",
      "POST /admin/accounts/{id}/activities/dismiss admin",
      "POST /admin/accounts/{id}/activities/preview admin",
      "POST /admin/accounts/{id}/books admin",
      "POST /admin/accounts/{id}/books/preview admin",
      "POST /admin/accounts/{id}/close admin",
      "POST /admin/accounts/{id}/resume admin",
      "POST /admin/all-trades/{id}/close-unknown admin",
      "POST /admin/audit/verify admin",
      "POST /admin/biweekly-rotation/plans/{planId}/approve admin",
      "POST /admin/biweekly-rotation/plans/{planId}/execute admin",
      "POST /admin/biweekly-rotation/plans/{planId}/reject admin",
      "POST /admin/feature-flags admin",
      "POST /admin/kill-switch admin",
      "POST /admin/mails/send-again admin",
      "POST /admin/mails/{id}/send-again admin",
      "POST /admin/parked/{id} admin",
      "POST /admin/policy/versions admin",
      "POST /admin/policy/versions/{version}/activate admin",
      "POST /admin/policy/versions/{version}/what-if admin",
      "POST /admin/policy/what-ifs/{id}/cancel admin",
      "POST /admin/practice-market admin",
      "POST /admin/providers/test-global-apis admin",
      "POST /admin/queue/retry admin",
      "POST /admin/queue/toggle admin",
      "POST /admin/rate-limits admin",
      "POST /admin/users/{id}/disable admin",
      "POST /admin/users/{id}/enable admin",
      "POST /admin/users/{id}/end-sign-ins admin",
      "POST /admin/users/{id}/role admin",
      "POST /auth/access-tokens user",
      "POST /auth/forgot-password public",
      "POST /auth/login public",
      "POST /auth/logout user",
      "POST /auth/passkeys user",
      "POST /auth/passkeys/options user",
      "POST /auth/recovery-codes user",
      "POST /auth/register public",
      "POST /auth/reset-password public",
      "POST /auth/reset-password/check public",
      "POST /auth/second-factor public",
      "POST /auth/second-factor/options public",
      "POST /auth/sign-ins/end-others user",
      "POST /auth/step-up user",
      "POST /auth/step-up/options user",
      "POST /auth/totp user",
      "POST /auth/totp/confirm user",
      "POST /auth/verify-email public",
      "POST /automation/pause user",
      "POST /automation/resume user",
      "POST /backtests user",
      "POST /backtests/{id}/cancel user",
      "POST /backtests/{id}/grid user",
      "POST /csp-report public",
      "POST /decisions/{id}/recompute user",
      "POST /email/resend-verification public",
      "POST /insight/rehearsal user",
      "POST /notifications/deliveries/{id}/retry user",
      "POST /notifications/push user",
      "POST /notifications/read user",
      "POST /notifications/unsubscribe public",
      "POST /notifications/unsubscribe/one-click public",
      "POST /notifications/webhook/rotate user",
      "POST /notifications/webhook/test user",
      "POST /positions/{accountId}/{symbol}/sell user",
      "POST /positions/{accountId}/{symbol}/tighten-stop user",
      "POST /preferences/preview user",
      "POST /users/me/erase user",
      "PUT /auth/change-password user",
      "PUT /notifications/webhook user",
      "PUT /preferences/notifications user",
      "PUT /preferences/profile user",
      "PUT /preferences/quiet-hours user",
      "PUT /preferences/trading user",
    ]
  `);
});
