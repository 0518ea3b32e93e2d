import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { POLICY } from "@/lib/proof/screen/selector-answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { PolicyTab } from "./policy-tab.tsx";

type Version = Answer<typeof policyApi.version>;
type Row = Answer<typeof policyApi.versions>["versions"][number];

const rowOf = (version: string, change: Partial<Row> = {}): Row => ({
  version,
  status: "DRAFT",
  basedOn: "2.9.0",
  note: null,
  revision: 1,
  createdAt: "2026-11-20T15:32:00.000Z",
  createdBy: null,
  updatedAt: null,
  updatedBy: null,
  activatedAt: null,
  activations: [],
  ...change,
});

function answerList(versions: Row[], nextCursor: string | null = null): void {
  answer(policyApi.read, POLICY);
  answer(policyApi.versions, { versions, nextVersion: "2.9.41", pagination: { nextCursor, limit: 20 } });
}

function show(versions: Row[], nextCursor: string | null = null): void {
  answerList(versions, nextCursor);
  showPage("/admin?tab=policy", ADMIN, <PolicyTab />);
}

function showVersion(change: Partial<Version>): void {
  const { version: _, updated_at: __, ...policy } = POLICY;
  answerList([]);
  const draft = {
    policy,
    changes: [],
    inForce: "2.9.0",
    whatIf: null,
    isTried: false,
    needsSecond: false,
    pending: null,
  };
  answer(policyApi.version, { ...rowOf("2.9.2"), ...draft, ...change });
  showPage("/admin?tab=policy&version=2.9.2", ADMIN, <PolicyTab />);
}

test("a draft can be made where the version in force stands on a later page", async () => {
  const sent = answer(policyApi.createDraft, () => new Promise<never>(() => {}));
  show(
    Array.from({ length: 20 }, (_, i) => rowOf(`2.9.${40 - i}`)),
    "2.9.21",
  );
  const button = page.getByRole("button", { name: "New draft" });
  await expect.element(button).toBeVisible();
  await button.click();
  expect(sent).toEqual([{ from: "2.9.0" }]);
});

test("a draft of a user who was deleted is not said to come from the set-up; the first policy is", async () => {
  show([rowOf("2.9.1"), rowOf("2.9.0", { basedOn: null, status: "ACTIVE" })]);
  await expect.element(page.getByText("by a deleted user from 2.9.0").first()).toBeInTheDocument();
  expect(page.getByText("by the set-up from").elements()).toEqual([]);
  await expect.element(page.getByText("by the set-up").first()).toBeInTheDocument();
  showVersion({});
  await expect.element(page.getByText("by a deleted user from 2.9.0. Revision 1.")).toBeVisible();
});

test("a what-if that was run for another version of the same fields says so", async () => {
  showVersion({
    isTried: true,
    whatIf: {
      id: "0192f0c1-0000-7000-8000-0000000000a1",
      version: "2.9.1",
      status: "DONE",
      cycles: 100,
      progress: { done: 0, total: 0 },
      isStalled: false,
      isCurrent: true,
      createdAt: "2026-11-20T15:40:00.000Z",
      finishedAt: "2026-11-20T15:41:00.000Z",
      error: null,
      report: null,
    },
  });
  await expect.element(page.getByText("Run for version 2.9.1, which has the same fields.")).toBeVisible();
  expect(page.getByText("This version has not been tried yet.").elements()).toEqual([]);
  await expect.element(page.getByRole("button", { name: "Activate 2.9.2" })).toBeEnabled();
});
