import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { auditApi } from "@/lib/contracts/audit.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { AuditScreen } from "./audit-screen.tsx";

const PART = {
  from: 1,
  rows: 41,
  last: 90,
  next: null,
  anchors: { compared: 1, unreadable: 0 },
  verifiedAt: "2026-11-20T15:32:00.000Z",
  durationMs: 3,
};

test("a broken chain names the event, and is no longer called intact", async () => {
  const pagination = { nextCursor: null, limit: 50 };
  answer(logsApi.auditAll, { auditLogs: [], summary: { totalEvents: 0 }, pagination });
  answer(auditApi.verify, { ...PART, ok: true, firstBad: null });
  showPage("/admin/audit", ADMIN, <AuditScreen />);
  const verify = page.getByRole("button", { name: "Verify the chain" });
  await verify.click();
  await expect.element(page.getByText("The chain is intact: every event is as it was written.")).toBeVisible();
  const firstBad = { seq: 42, problem: "edited", text: "Event 42 is not as it was written." } as const;
  answer(auditApi.verify, { ...PART, ok: false, firstBad });
  await verify.click();
  await expect.element(page.getByText("The chain is broken. Event 42 is not as it was written.")).toBeVisible();
  await expect.element(page.getByText(/The chain is intact/)).not.toBeInTheDocument();
});

test("lines among the signed heads that are none are told with the verdict, and one head is one", async () => {
  const pagination = { nextCursor: null, limit: 50 };
  answer(logsApi.auditAll, { auditLogs: [], summary: { totalEvents: 0 }, pagination });
  answer(auditApi.verify, { ...PART, anchors: { compared: 1, unreadable: 2 }, ok: true, firstBad: null });
  showPage("/admin/audit", ADMIN, <AuditScreen />);
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect.element(page.getByText(/They agree with 1 signed head kept outside the database/)).toBeVisible();
  const warning = page.getByText("2 lines of the file of signed heads are not heads that this installation signed");
  await expect.element(warning).toBeVisible();
  answer(auditApi.verify, { ...PART, ok: true, firstBad: null });
  await page.getByRole("button", { name: "Verify the chain" }).click();
  await expect.element(warning).not.toBeInTheDocument();
});

test("filters in the address that are none of the options filter nothing", async () => {
  const pagination = { nextCursor: null, limit: 50 };
  const asked = answer(logsApi.auditAll, { auditLogs: [], summary: { totalEvents: 0 }, pagination });
  showPage("/admin/audit?topic=bogus&eventType=sign_in&actor=robot&requestId=r1", ADMIN, <AuditScreen />);
  await expect.poll(() => asked.at(-1)).toMatchObject({ requestId: "r1" });
  expect(asked.flatMap((input) => Object.keys(input).filter((name) => /topic|event|actor/.test(name)))).toEqual([]);
});

test("events of one request lead to each other, those of the automation, whose requests are all its work, do not", async () => {
  const event = {
    timestamp: "2020-01-02T15:00:00.000Z",
    eventType: "USER_LOGIN",
    topic: "accounts",
    ipAddress: null,
  } as const;
  const rest = { eventData: { a: 1 }, closed: null, user: null, tradeId: null };
  const auditLogs: Answer<typeof logsApi.auditAll>["auditLogs"] = [
    { ...event, ...rest, id: "1", text: "By a person", actor: { kind: "person", name: "Ada" }, requestId: "r1" },
    {
      ...event,
      ...rest,
      id: "2",
      text: "By the worker",
      actor: { kind: "system", name: "worker" },
      requestId: "worker",
    },
  ];
  answer(logsApi.auditAll, { auditLogs, summary: { totalEvents: 2 }, pagination: { nextCursor: null, limit: 50 } });
  showPage("/admin/audit", ADMIN, <AuditScreen />);
  await expect.element(page.getByText("By the worker").first()).toBeVisible();
  const open = page.getByText("Details", { exact: true });
  for (const each of open.all()) await each.click();
  await expect.poll(() => page.getByRole("button", { name: "Everything of this request" }).elements().length).toBe(1);
});
