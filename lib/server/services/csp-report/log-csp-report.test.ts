import { expect, it } from "vitest";
import { cspReportApi } from "@/lib/contracts/csp-report.ts";
import type { Context } from "../../context.ts";
import { logCspReport } from "./log-csp-report.ts";

/** What a report leaves in the log. */
async function noted(report: Record<string, unknown>): Promise<object> {
  const lines: object[] = [];
  const context = { log: { warn: (_event: string, fields: object) => lines.push(fields) } } as unknown as Context;
  await logCspReport(context, cspReportApi.send.input.parse({ "csp-report": report }));
  expect(lines).toHaveLength(1);
  return lines[0] ?? {};
}

it("a report names the page, the rule, what was stopped and where, and no token of a link", async () => {
  const report = {
    "document-uri": "https://trade.example/auth/reset-password?token=canary#canary",
    referrer: "https://trade.example/?token=canary",
    "violated-directive": "script-src-elem",
    "effective-directive": "script-src-elem",
    "original-policy": "default-src 'self'",
    disposition: "enforce",
    "blocked-uri": "https://evil.example/x.js?stolen=canary",
    "line-number": 7,
    "column-number": 1,
    "source-file": "https://trade.example/_next/static/chunks/a.js?canary",
    "status-code": 200,
    "script-sample": "canary()",
  };
  const line = await noted(report);
  expect(line).toEqual({
    path: "/auth/reset-password",
    kind: "script-src-elem",
    url: "https://evil.example/x.js",
    from: "/_next/static/chunks/a.js:7",
  });
  expect(JSON.stringify(line)).not.toContain("canary");
});

it.each([
  ["inline", "inline"],
  ["data", "data"],
  ["data:text/html,canary", "data:"],
  ["not an address\r\n", null],
  ["", null],
])("what was stopped, %j, is noted as %j", async (blocked, url) => {
  expect(await noted({ "blocked-uri": blocked, "effective-directive": "img-src\nforged" })).toEqual({
    path: null,
    kind: null,
    url,
    from: null,
  });
});
