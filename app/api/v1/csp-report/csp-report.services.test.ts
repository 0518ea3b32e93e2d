import { expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as door from "./route.ts";

const report = (type: string, body: string) =>
  callDoor(door, "POST", { rawBody: body, headers: { "content-type": type } });
const asSent = JSON.stringify({
  "csp-report": { "document-uri": "http://127.0.0.1:3000/auth", "blocked-uri": "inline", "line-number": 1, new: true },
});

it("a browser's report is taken from any caller, in the type that browsers send", async () => {
  expect(await report("application/csp-report", asSent)).toMatchObject({
    status: 200,
    json: { success: true, data: { received: true } },
  });
});

it.each([
  ["a form of another site", "application/x-www-form-urlencoded", "a=1", 415],
  ["JSON of a script", "application/json", asSent, 415],
  ["something else in the right type", "application/csp-report", '{"report":{}}', 400],
  ["more than a report beside it", "application/csp-report", '{"csp-report":{},"role":"ADMIN"}', 400],
  ["more than 64 KB", "application/csp-report", JSON.stringify({ "csp-report": { x: "x".repeat(66_000) } }), 413],
])("%s is refused", async (_, type, body, status) => {
  expect((await report(type, body)).status).toBe(status);
});
