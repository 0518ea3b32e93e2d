import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import * as live from "@/app/api/v1/health/live/route.ts";
import * as me from "@/app/api/v1/auth/me/route.ts";
import { healthApi } from "@/lib/contracts/health.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { createDb, db } from "./db.ts";
import { metrics } from "./metrics.ts";
import { timedCall } from "./providers/provider-calls.ts";
import { type MetricsServer, serveMetrics } from "./serve-metrics.ts";
import { refreshGauges } from "./services/system/refresh-gauges.ts";
import { systemContext } from "./system-context.ts";

let server: MetricsServer;
let context = systemContext("test");

beforeAll(async () => {
  server = await serveMetrics({ host: "127.0.0.1", port: 0, refresh: () => refreshGauges(context) });
});
afterAll(() => server.close());

const ask = (path: string, method = "GET") => fetch(`http://127.0.0.1:${server.port}${path}`, { method });

/** Each line of the text form: "name{labels}" and its number. */
async function scrape(): Promise<Map<string, number>> {
  const response = await ask("/metrics");
  expect(response.status).toBe(200);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );
}

it("answers GET /metrics alone", async () => {
  expect((await ask("/metrics?x=1")).headers.get("content-type")).toContain("text/plain");
  expect((await ask("/")).status).toBe(404);
  expect((await ask("/metrics", "POST")).status).toBe(404);
});

it("counts calls of the API by path template and status, and vendors' calls by how they ended", async () => {
  const line = (path: string, status: number) =>
    `tradewind_http_request_duration_seconds_count{method="GET",path="${path}",status="${status}"}`;
  const before = await scrape();
  await callDoor(live, "GET");
  await callDoor(me, "GET");
  await timedCall({ provider: "Practice market", operation: "test" }, () => Promise.resolve(1));
  await timedCall({ provider: "Practice market", operation: "test" }, () =>
    Promise.reject(new TypeError("gone")),
  ).catch(() => undefined);
  const after = await scrape();
  const rise = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(rise(line("/health/live", 200))).toBe(1);
  expect(rise(line("/auth/me", 401))).toBe(1);
  const call = (outcome: string) =>
    `tradewind_provider_call_duration_seconds_count{provider="Practice market",operation="test",outcome="${outcome}"}`;
  expect([rise(call("ok")), rise(call("unreachable"))]).toEqual([1, 1]);
});

it("tells what the books say: halted accounts, stops that are owed, mails that wait", async () => {
  const before = await scrape();
  const { id: userId } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId);
  await db().account.update({ where: { id: accountId }, data: { haltedAt: new Date(), haltReason: "a test" } });
  await db().owedStop.create({ data: { accountId, symbol: "AAPL", qty: "1", reason: "a test" } });
  await db().outbox.create({ data: { dedupeKey: accountId, recipient: "x@example.com", template: "x", props: {} } });
  const after = await scrape();
  const rise = (name: string) => (after.get(name) ?? NaN) - (before.get(name) ?? NaN);
  expect(rise("tradewind_accounts_halted")).toBe(1);
  expect(rise("tradewind_stops_owed")).toBe(1);
  expect(rise("tradewind_mails_waiting")).toBe(1);
});

it("names no person, no account and no amount", async () => {
  const { id: userId, email } = await makeUser(db());
  const { id: accountId } = await makeAccount(db(), userId, { equity: "123456.78" });
  const text = await (await ask("/metrics")).text();
  for (const secret of [userId, accountId, email, "123456"]) expect(text).not.toContain(secret);
});

it("leaves out what cannot be read, and answers the rest", async () => {
  const whole = context;
  const unreachable = createDb("postgresql://nobody:nothing@127.0.0.1:1/none", 1);
  context = { ...whole, db: unreachable };
  try {
    const read = await scrape();
    expect(read.has("tradewind_accounts_halted")).toBe(false);
    expect(read.has("tradewind_process_cpu_seconds_total")).toBe(true);
  } finally {
    context = whole;
    await unreachable.$disconnect();
  }
});

const NAME = /\btradewind_[a-z0-9_]+/g;

it("is all that the alert rules and the dashboard name", async () => {
  metrics().jobs.observe({ work: "x", outcome: "done" }, 1);
  metrics().broker.observe({ outcome: "ok" }, 1);
  await refreshGauges(context);
  const known = new Set(
    (await metrics().registry.getMetricsAsJSON()).flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`]),
  );
  const rules = readFileSync("deploy/prometheus/alerts.yml", "utf8");
  const dashboard = readFileSync("deploy/grafana/tradewind.json", "utf8");
  for (const text of [rules, dashboard]) {
    const named = [...new Set(text.match(NAME))];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  }
});

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

it("every alert says how bad it is, leads to a runbook that is there, and has its row in the table of what to do", () => {
  const { groups } = parse(readFileSync("deploy/prometheus/alerts.yml", "utf8")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(8);
  const anchors = (file: string) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("#"))
      .map((line) =>
        line
          .replace(/^#+ /, "")
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-"),
      );
  const table = /\n## Alerts\n([\s\S]*?)\n## /.exec(readFileSync("docs/operations.md", "utf8"))?.[1] ?? "";
  const answered = [...table.matchAll(/^\| `(\w+)` +\| \S/gm)].map(([, alert]) => alert);
  expect(answered.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of rules) {
    expect(["page", "ticket"], alert).toContain(labels.severity);
    const [file = "", anchor = ""] = annotations.runbook.split("#");
    expect(anchors(file), `${alert}: ${annotations.runbook}`).toContain(anchor);
  }
});

it("health checks that answer 503 while no worker beats are no failing calls: another alert is about the worker", () => {
  const { groups } = parse(readFileSync("deploy/prometheus/alerts.yml", "utf8")) as { groups: { rules: Rule[] }[] };
  const { expr } = groups.flatMap((group) => group.rules).find(({ alert }) => alert === "CallsFail")!;
  const series = [...expr.matchAll(/tradewind_http_request_duration_seconds_count(\{[^}]*\})?/g)].map(
    ([, labels = ""]) => /path!~"([^"]*)"/.exec(labels)?.[1],
  );
  expect(series).toHaveLength(2);
  for (const { path } of Object.values(healthApi))
    expect(series.map((left) => left !== undefined && new RegExp(`^(?:${left})$`).test(path))).toEqual([true, true]);
});
