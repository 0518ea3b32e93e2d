import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { passes } from "@/lib/proof/screen/look.ts";
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

function versionOf(change: Partial<Version>): Version {
  const { version: _, updated_at: __, ...policy } = POLICY;
  const draft = { inForce: "2.9.0", whatIf: null, isTried: false, needsSecond: false, pending: null };
  return { ...rowOf("2.9.2"), policy, changes: [], ...draft, ...change };
}

function showVersion(change: Partial<Version>, query = ""): void {
  answerList([]);
  answer(policyApi.version, versionOf(change));
  showPage(`/admin?tab=policy&version=2.9.2${query}`, ADMIN, <PolicyTab />);
}

const WHAT_IF: NonNullable<Version["whatIf"]> = {
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
};
/** While it runs, the version is read every two seconds. */
const RUNNING = { ...WHAT_IF, status: "RUNNING", finishedAt: null } as const;

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
    whatIf: WHAT_IF,
  });
  await expect.element(page.getByText("Run for version 2.9.1, which has the same fields.")).toBeVisible();
  expect(page.getByText("This version has not been tried yet.").elements()).toEqual([]);
  await expect.element(page.getByRole("button", { name: "Activate 2.9.2" })).toBeEnabled();
});

const trendCloses = page.getByLabelText("Trend closes", { exact: true });
const inPolicy = (trend_closes: number): Version["policy"] => {
  const { policy } = versionOf({});
  return { ...policy, exits: { ...policy.exits, trend_closes } };
};

test("a draft that another administrator saved meanwhile is not overwritten by what was typed before", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showVersion({ revision: 1, whatIf: RUNNING }, "&section=exits");
  await trendCloses.fill("3");
  answer(policyApi.version, versionOf({ revision: 2, policy: inPolicy(7), whatIf: RUNNING }));
  await passes(() => page.getByText("Revision 2.").elements().length > 0);
  const refused = answer(policyApi.editDraft, refusal(409, "This draft was edited meanwhile."));
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.element(page.getByText("This draft was edited meanwhile.")).toBeVisible();
  const first = { version: "2.9.2", revision: 1, fields: { "exits.trend_closes": 3 } };
  expect(refused).toEqual([first]);
  await expect.element(trendCloses).toHaveValue("3");

  const saved = answer(policyApi.editDraft, versionOf({ revision: 3, policy: inPolicy(3) }));
  answer(policyApi.version, versionOf({ revision: 3, policy: inPolicy(3) }));
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect.element(page.getByText("All changes are saved.")).toBeVisible();
  expect(saved).toEqual([{ ...first, revision: 2 }]);
});

test("what is typed while a draft is saved is a change of the draft as it was saved", async () => {
  showVersion({ revision: 1, policy: inPolicy(2) }, "&section=exits");
  await trendCloses.fill("3");
  let save = (_: Version) => {};
  answer(policyApi.editDraft, () => new Promise<Version>((resolve) => (save = resolve)));
  await page.getByRole("button", { name: "Save draft" }).click();
  // As it stood before.
  await trendCloses.fill("2");
  const now = versionOf({ revision: 2, policy: inPolicy(3) });
  answer(policyApi.version, now);
  save(now);
  const button = page.getByRole("button", { name: "Save draft" });
  await expect.element(button).toBeEnabled();
  const sent = answer(policyApi.editDraft, versionOf({ revision: 3, policy: inPolicy(2) }));
  await button.click();
  await expect.poll(() => sent).toEqual([{ version: "2.9.2", revision: 2, fields: { "exits.trend_closes": 2 } }]);
});

test("a form in which nothing is typed, or no longer, shows what another administrator saved", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showVersion({ revision: 1, policy: inPolicy(2), whatIf: RUNNING }, "&section=exits");
  await trendCloses.fill("3");
  await trendCloses.fill("2");
  answer(policyApi.version, versionOf({ revision: 2, policy: inPolicy(7), whatIf: RUNNING }));
  await passes(() => page.getByText("Revision 2.").elements().length > 0);
  await expect.element(trendCloses).toHaveValue("7");
});

test("an activation is confirmed for what its dialog says, whatever was saved since it was opened", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const change = { path: "exits.trend_closes", from: 2, to: 3 } as Version["changes"][number];
  showVersion({ revision: 1, isTried: true, changes: [change], whatIf: RUNNING });
  await page.getByRole("button", { name: "Activate 2.9.2" }).click();
  const dialog = page.getByRole("dialog");
  await expect.element(dialog).toHaveTextContent("1 field changes against 2.9.0.");
  const later = {
    revision: 2,
    inForce: "2.9.1",
    isTried: true,
    changes: [change, { ...change, path: "exits.other" }],
    whatIf: RUNNING,
  };
  const read = answer(policyApi.version, versionOf(later));
  await passes(() => read.length > 0);
  await expect.element(page.getByText("Puts 2.9.2 in force instead of 2.9.1.")).toBeInTheDocument();
  await expect.element(dialog).toHaveTextContent("1 field changes against 2.9.0.");
  const sent = answer(policyApi.activate, refusal(409, "Policy 2.9.1 came into force in the meantime."));
  await dialog.getByLabelText("Type 2.9.2 to confirm").fill("2.9.2");
  await dialog.getByRole("button", { name: "Activate 2.9.2" }).click();
  await expect.element(dialog).toHaveTextContent("Policy 2.9.1 came into force in the meantime.");
  expect(sent).toEqual([{ version: "2.9.2", revision: 1, replaces: "2.9.0", confirm: "2.9.2" }]);
});

test("a draft is deleted as it stood when that was asked", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  showVersion({ revision: 1, whatIf: RUNNING });
  await page.getByRole("button", { name: "Delete draft" }).click();
  answer(policyApi.version, versionOf({ revision: 2, whatIf: RUNNING }));
  await passes(() => page.getByText("Revision 2.").elements().length > 0);
  const sent = answer(policyApi.deleteDraft, refusal(409, "This draft was edited meanwhile."));
  await page.getByRole("dialog").getByRole("button", { name: "Delete draft" }).click();
  await expect.element(page.getByRole("dialog")).toHaveTextContent("This draft was edited meanwhile.");
  expect(sent.map(({ revision }) => Number(revision))).toEqual([1]);
});

test("a version that another administrator puts in force is shown, and a policy that is no longer read is marked", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  show([rowOf("2.9.0", { basedOn: null, status: "ACTIVE" })]);
  await expect.element(page.getByText("Policy 2.9.0", { exact: true })).toBeVisible();
  answer(policyApi.read, { ...POLICY, version: "2.9.1" });
  const versions = [rowOf("2.9.1", { status: "ACTIVE" }), rowOf("2.9.0", { basedOn: null, status: "RETIRED" })];
  answer(policyApi.versions, { versions, nextVersion: "2.9.2", pagination: { nextCursor: null, limit: 20 } });
  await passes(() => page.getByText("Policy 2.9.1", { exact: true }).elements().length > 0, 5_000);
  await expect.element(page.getByText("Earlier", { exact: true }).first()).toBeInTheDocument();
  answer(policyApi.read, refusal(503, "The database is unavailable."));
  const inForce = page.getByRole("region", { name: "Policy in force" });
  await passes(() => inForce.getByText("stale", { exact: true }).elements().length > 0, 5_000);
});

test("accounts of a what-if are told apart by the end of their ids, which is not the time of their making", async () => {
  const kind = { count: 0, examples: [] };
  const side = { entries: 0, exits: 0, bought: 0, sold: 0, turnover: 0, costs: 0, costBps: 0, withoutCost: 0 };
  const accountOf = (end: string) => ({
    ...{ accountId: `01a21bf5-e105-7000-8000-0000${end}`, decisions: 4, pnlEffect: 1 },
    ...{ drawdownRecorded: 0, drawdownDraft: 0 },
  });
  const compared = {
    ...{ environment: "PRACTICE" as const, decisions: 8, decisionsChanged: 2, ofOtherEngines: 0 },
    ...{ entriesAdded: kind, entriesRemoved: kind, sizesChanged: kind, exitsAdded: kind, exitsRemoved: kind },
    ...{ recorded: { ...side, qaFailures: {} }, draft: { ...side, qaFailures: {} } },
    accounts: [accountOf("aaaaaaaa"), accountOf("bbbbbbbb")],
  };
  const report = { cycles: 1, recordedVersions: [], changedFields: [], environments: [compared], unknown: [] };
  showVersion({ whatIf: { ...WHAT_IF, report } });
  for (const end of ["aaaaaaaa", "bbbbbbbb"])
    await expect.element(page.getByText(end, { exact: true }).first()).toBeInTheDocument();
});
