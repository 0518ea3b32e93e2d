import { beforeEach, describe, expect, it } from "vitest";
import { POLICY_2_9_0, POLICY_SECTIONS } from "@/lib/domain/policy.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { db } from "@/lib/server/db.ts";
import { firstPolicyAlone } from "@/lib/proof/fixtures/policy.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser, type MadeUser } from "@/prisma/factories.ts";
import { callDoor, type CallResult } from "@/lib/proof/call-door.ts";
import * as diffDoor from "./diff/route.ts";
import * as policyDoor from "./route.ts";
import * as activateDoor from "./versions/[version]/activate/route.ts";
import * as versionDoor from "./versions/[version]/route.ts";
import * as startDoor from "./versions/[version]/what-if/route.ts";
import * as versionsDoor from "./versions/route.ts";
import * as cancelDoor from "./what-ifs/[id]/cancel/route.ts";
import * as whatIfDoor from "./what-ifs/[id]/route.ts";

const UNKNOWN = "0192f0a0-0000-7000-8000-000000000000";
const CLOSES = "exits.trend_closes";

let first: MadeUser;
let token: string;
let second: string;

beforeEach(async () => {
  await firstPolicyAlone();
  first = await makeUser(db(), { role: "ADMIN", firstName: "Grace", lastName: "Hopper" });
  token = await makeSignIn(db(), first);
  second = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});

const of = (version: string) => ({ params: { version } });
const data = <T = Record<string, unknown>>(answer: CallResult) => {
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as T;
};
const create = (body: object = {}) => callDoor(versionsDoor, "POST", { token, body: { from: "2.9.0", ...body } });
const read = (version: string, as = token) => callDoor(versionDoor, "GET", { token: as, ...of(version) });
const edit = (version: string, body: object, as = token) =>
  callDoor(versionDoor, "PATCH", { token: as, body, ...of(version) });
const remove = (version: string, revision = 1) =>
  callDoor(versionDoor, "DELETE", { token, body: { revision }, ...of(version) });
const start = (version: string, body: object = {}) =>
  callDoor(startDoor, "POST", { token, body: { revision: 1, ...body }, ...of(version) });
const activate = (version: string, body: object = {}, as = token) =>
  callDoor(activateDoor, "POST", {
    token: as,
    body: { revision: 1, replaces: "2.9.0", confirm: version, ...body },
    ...of(version),
  });
const inForce = async () => (await activePolicy(systemContext("test"))).version;
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType, actorUserId: first.id } });

/** What the worker leaves: the job's own test runs it. */
async function tried(version: string, revision = 1): Promise<void> {
  const { id } = data<{ id: string }>(await start(version, { revision }));
  await db().whatIf.update({ where: { id }, data: { status: "DONE", finishedAt: new Date() } });
}

/** A draft of this version in which one field differs, tried. */
async function ready(version = "2.9.1", value = 3): Promise<void> {
  data(await create({ version }));
  data(await edit(version, { revision: 1, fields: { [CLOSES]: value } }));
  await tried(version, 2);
}

it("GET /admin/policy answers version, updated_at and the eight sections; 2.9.0 where nothing was ever stored", async () => {
  await bypassingTriggers((tx) => tx.$executeRaw`delete from "PolicyVersion"`);
  const policy = data(await callDoor(policyDoor, "GET", { token }));
  expect(Object.keys(policy).sort()).toEqual([...POLICY_SECTIONS, "updated_at", "version"].sort());
  const { updated_at: updatedAt, ...stored } = policy;
  expect(stored).toEqual(POLICY_2_9_0);
  expect(Date.parse(String(updatedAt))).toBeLessThanOrEqual(Date.now());
});

describe("drafts", () => {
  it("a draft copies a version, takes the next free number, and is audited once with its author", async () => {
    const draft = data(await create({ note: "  Fewer closes " }));
    expect(draft).toMatchObject({
      version: "2.9.1",
      status: "DRAFT",
      basedOn: "2.9.0",
      note: "Fewer closes",
      revision: 1,
      createdBy: { name: "Grace Hopper", email: first.email },
      changes: [],
      inForce: "2.9.0",
      isTried: false,
      needsSecond: false,
      pending: null,
      whatIf: null,
    });
    expect(data(await create())).toMatchObject({ version: "2.9.2" });
    expect(await audits("POLICY_DRAFT_CREATED")).toBe(2);
    expect(await inForce()).toBe("2.9.0");
    const list = data<{ versions: { version: string }[]; nextVersion: string }>(
      await callDoor(versionsDoor, "GET", { token }),
    );
    expect(list.versions.map(({ version }) => version)).toEqual(["2.9.2", "2.9.1", "2.9.0"]);
    expect(list.nextVersion).toBe("2.9.3");
  });

  it("after the last patch comes the next minor version, which opens and can be deleted; after the last version of all one must be named", async () => {
    data(await create({ version: "2.9.9999" }));
    const { version } = data<{ version: string }>(await create());
    expect(version).toBe("2.10.0");
    expect(data(await read(version))).toMatchObject({ version });
    data(await remove(version));
    data(await create({ version: "9999.9999.9999" }));
    expect(await create()).toMatchObject({ status: 409, json: { issues: [{ path: "version" }] } });
    expect(data(await callDoor(versionsDoor, "GET", { token }))).toMatchObject({ nextVersion: null });
    expect(data(await create({ version: "2.9.1" }))).toMatchObject({ version: "2.9.1" });
  });

  it("a version that exists already, one that there is none to copy from, and a malformed one are refused", async () => {
    expect(await create({ version: "2.9.0" })).toMatchObject({ status: 409, json: { issues: [{ path: "version" }] } });
    expect((await create({ from: "7.7.7" })).status).toBe(404);
    expect((await create({ version: "two" })).status).toBe(400);
    expect((await create({ unknown: 1 })).status).toBe(400);
    expect(await db().policyVersion.count()).toBe(1);
    expect(await audits("POLICY_DRAFT_CREATED")).toBe(0);
  });

  it("an edit saves what it names; bounds refuse each field at its own place and keep the rest", async () => {
    data(await create());
    expect(data(await edit("2.9.1", { revision: 1, fields: { [CLOSES]: 3 } }))).toMatchObject({
      revision: 2,
      changes: [{ path: CLOSES, from: 2, to: 3 }],
      updatedBy: { email: first.email },
    });
    const wrong = await edit("2.9.1", { revision: 2, fields: { [CLOSES]: 21, "exits.momentum_stop_atr": 5 } });
    expect(wrong).toMatchObject({
      status: 400,
      json: { issues: [{ path: `fields.${CLOSES}`, message: "must lie between 1 and 20 closes" }] },
    });
    expect((await edit("2.9.1", { revision: 2, fields: { [CLOSES]: "3" } })).status).toBe(400);
    expect((await edit("2.9.1", { revision: 2, fields: { "exits.none": 3 } })).status).toBe(400);
    expect(data(await read("2.9.1"))).toMatchObject({ revision: 2, changes: [{ to: 3 }] });
    // The same again changes nothing and leaves no trace.
    expect(data(await edit("2.9.1", { revision: 2, fields: { [CLOSES]: 3 } }))).toMatchObject({ revision: 2 });
    expect(await audits("POLICY_DRAFT_EDITED")).toBe(1);
  });

  it("of two edits of one revision the second is refused and the first stays, at the same moment too", async () => {
    data(await create());
    const answers = await Promise.all(
      [3, 4, 5, 6].map((value, i) =>
        edit("2.9.1", { revision: 1, fields: { [CLOSES]: value } }, i % 2 ? second : token),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const kept = 3 + answers.findIndex(({ status }) => status === 200);
    expect(data(await read("2.9.1"))).toMatchObject({ revision: 2, changes: [{ path: CLOSES, to: kept }] });
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.json?.error).toContain("it is at revision 2, your copy is revision 1. Nothing was saved.");
  });

  it("a draft goes with its what-ifs; one that was edited meanwhile and one in force stay", async () => {
    data(await create());
    await tried("2.9.1");
    expect((await remove("2.9.1", 7)).status).toBe(409);
    expect((await remove("2.9.0")).status).toBe(409);
    expect((await remove("7.7.7")).status).toBe(404);
    expect(data(await remove("2.9.1"))).toEqual({ version: "2.9.1" });
    expect((await read("2.9.1")).status).toBe(404);
    expect(await db().whatIf.count()).toBe(0);
    expect(await audits("POLICY_DRAFT_DELETED")).toBe(1);
  });

  it("what was in force is never edited, removed or made a draft again, by no way into the table", async () => {
    expect((await edit("2.9.0", { revision: 1, fields: { [CLOSES]: 3 } })).status).toBe(409);
    await expect(db().policyVersion.delete({ where: { version: "2.9.0" } })).rejects.toThrow();
    await expect(
      db().policyVersion.update({ where: { version: "2.9.0" }, data: { status: "DRAFT" } }),
    ).rejects.toThrow();
  });

  it("the difference of two versions names each field", async () => {
    data(await create());
    data(await edit("2.9.1", { revision: 1, fields: { [CLOSES]: 3, "exits.momentum_stop_atr": 4 } }));
    const diff = (query: string) => callDoor(diffDoor, "GET", { token, query });
    expect(data(await diff("from=2.9.1&to=2.9.0"))).toEqual({
      from: "2.9.1",
      to: "2.9.0",
      changes: [
        { path: "exits.momentum_stop_atr", from: 4, to: 3 },
        { path: CLOSES, from: 3, to: 2 },
      ],
    });
    expect((await diff("from=2.9.1&to=8.8.8")).status).toBe(404);
    expect((await diff("from=2.9.1")).status).toBe(400);
  });

  it("the list comes in pages", async () => {
    for (let i = 0; i < 3; i += 1) data(await create());
    const page = (query: string) => callDoor(versionsDoor, "GET", { token, query });
    type Page = { versions: { version: string }[]; pagination: { nextCursor: string | null } };
    const one = data<Page>(await page("limit=3"));
    const two = data<Page>(await page(`limit=3&cursor=${one.pagination.nextCursor}`));
    expect([...one.versions, ...two.versions].map(({ version }) => version)).toEqual([
      "2.9.3",
      "2.9.2",
      "2.9.1",
      "2.9.0",
    ]);
    expect(two.pagination.nextCursor).toBeNull();
    expect((await page("cursor=nowhere")).status).toBe(400);
  });
});

describe("what-ifs", () => {
  it("two wishes for the same content are one run; an edit since makes it old; a cancelled one is over once", async () => {
    data(await create());
    const [one, two] = await Promise.all([start("2.9.1"), start("2.9.1")]);
    const { id } = data<{ id: string }>(one);
    expect(data(two)).toMatchObject({ id, status: "QUEUED", isCurrent: true });
    expect(await db().whatIf.count()).toBe(1);
    expect(await audits("POLICY_WHAT_IF_STARTED")).toBe(1);
    data(await edit("2.9.1", { revision: 1, fields: { [CLOSES]: 3 } }));
    expect((await start("2.9.1", { revision: 1 })).status).toBe(409);
    const run = (method: "GET" | "POST", params = { id }) =>
      callDoor(method === "GET" ? whatIfDoor : cancelDoor, method, {
        token,
        params,
        ...(method === "POST" && { body: {} }),
      });
    expect(data(await run("GET"))).toMatchObject({ isCurrent: false });
    expect(data(await run("POST"))).toMatchObject({ status: "CANCELED" });
    expect(data(await run("POST"))).toMatchObject({ status: "CANCELED" });
    expect(await audits("POLICY_WHAT_IF_CANCELLED")).toBe(1);
    await db().whatIf.update({ where: { id }, data: { status: "DONE" } });
    expect((await run("POST")).status).toBe(409);
    expect((await run("GET", { id: UNKNOWN })).status).toBe(404);
    expect((await start("2.9.1", { revision: 2, cycles: 501 })).status).toBe(400);
    expect((await start("7.7.7")).status).toBe(404);
  });
});

it("a what-if of another version of the same content is shown: it counts as this one's try, and a wish is answered with it", async () => {
  data(await create());
  data(await create());
  const { id } = data<{ id: string }>(await start("2.9.1"));
  expect(data(await start("2.9.2"))).toMatchObject({ id });
  const shown = { id, version: "2.9.1", isCurrent: true };
  expect(data(await read("2.9.2"))).toMatchObject({ isTried: false, whatIf: { ...shown, status: "QUEUED" } });
  await db().whatIf.update({ where: { id }, data: { status: "DONE", finishedAt: new Date() } });
  expect(data(await read("2.9.2"))).toMatchObject({ isTried: true, whatIf: { ...shown, status: "DONE" } });
  data(await edit("2.9.2", { revision: 1, fields: { [CLOSES]: 3 } }));
  expect(data(await read("2.9.2"))).toMatchObject({ isTried: false, whatIf: null });
  // Its own run of what it was before gives way to one of what it is now.
  await tried("2.9.2", 2);
  data(await edit("2.9.2", { revision: 2, fields: { [CLOSES]: 2 } }));
  expect(data(await read("2.9.2"))).toMatchObject({ isTried: true, whatIf: shown });
});

describe("activation", () => {
  it("a tried draft comes into force for the next reading of the policy; a roll back restores the one before, and every step is proven", async () => {
    await ready();
    expect(data(await read("2.9.1"))).toMatchObject({ isTried: true });
    expect(data(await activate("2.9.1", { revision: 2, note: "Two closes are too few" }))).toEqual({
      version: "2.9.1",
      state: "IN_FORCE",
      expiresAt: null,
    });
    const policy = await activePolicy(systemContext("test"));
    expect([policy.version, policy.exits.trend_closes]).toEqual(["2.9.1", 3]);
    expect(data(await callDoor(policyDoor, "GET", { token }))).toMatchObject({
      version: "2.9.1",
      exits: { trend_closes: 3 },
    });

    expect(data(await activate("2.9.0", { replaces: "2.9.1" }))).toMatchObject({ state: "IN_FORCE" });
    const restored = await activePolicy(systemContext("test"));
    expect(restored).toEqual(POLICY_2_9_0);
    expect(data(await read("2.9.1"))).toMatchObject({
      status: "RETIRED",
      activations: [
        { replaced: "2.9.0", by: { email: first.email }, note: "Two closes are too few", requestedBy: null },
      ],
    });
    expect([await audits("POLICY_ACTIVATED"), await audits("POLICY_ROLLED_BACK")]).toEqual([1, 1]);
    const [event] = await db().auditEvent.findMany({ where: { eventType: "POLICY_ACTIVATED", actorUserId: first.id } });
    expect(event?.data).toMatchObject({
      version: "2.9.1",
      replaced: "2.9.0",
      changed: { [CLOSES]: { from: 2, to: 3 } },
      note: "Two closes are too few",
    });
    // Stored versions are what they were: the one rolled back from can come into force again.
    expect(data(await activate("2.9.1", { revision: 2 }))).toMatchObject({ state: "IN_FORCE" });
  });

  it("a draft that was not tried as it is now, an untyped version, one in force and one seen too late are refused", async () => {
    data(await create());
    expect(await activate("2.9.1")).toMatchObject({ status: 409, json: { error: expect.stringContaining("what-if") } });
    await tried("2.9.1");
    data(await edit("2.9.1", { revision: 1, fields: { [CLOSES]: 3 } }));
    expect((await activate("2.9.1", { revision: 2 })).status).toBe(409);
    await tried("2.9.1", 2);
    expect(await activate("2.9.1", { revision: 2, confirm: "2.9" })).toMatchObject({
      status: 400,
      json: { issues: [{ path: "confirm", message: "Type 2.9.1 to confirm." }] },
    });
    expect((await activate("2.9.1", { revision: 1 })).status).toBe(409);
    expect((await activate("2.9.1", { revision: 2, replaces: "2.8.0" })).status).toBe(409);
    expect((await activate("2.9.0")).status).toBe(409);
    expect((await activate("7.7.7")).status).toBe(404);
    expect(await inForce()).toBe("2.9.0");
    expect(await db().policyActivation.count()).toBe(0);
    expect(await audits("POLICY_ACTIVATED")).toBe(0);
  });

  it("of many activations at once exactly one holds, and exactly one version is in force", async () => {
    const versions = ["2.9.1", "2.9.2", "2.9.3", "2.9.4"];
    for (const [i, version] of versions.entries()) await ready(version, 3 + i);
    const answers = await Promise.all(
      versions.flatMap((version) => [activate(version, { revision: 2 }), activate(version, { revision: 2 }, second)]),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect(await db().policyVersion.count({ where: { status: "ACTIVE" } })).toBe(1);
    expect(await db().policyActivation.count()).toBe(1);
  });
});

describe("two administrators", () => {
  /** The policy in force asks for two from here on. */
  async function askForTwo(): Promise<void> {
    data(await create({ version: "2.9.5" }));
    data(await edit("2.9.5", { revision: 1, fields: { "orders_execution.two_person_policy": 1 } }));
    await tried("2.9.5", 2);
    data(await activate("2.9.5", { revision: 2 }));
  }
  const confirm = (as: string, revision = 2) => activate("2.9.6", { revision, replaces: "2.9.5" }, as);

  it("the first asks, the same one again is refused, another one puts it in force, and the trail names both", async () => {
    await askForTwo();
    await ready("2.9.6");
    expect(data(await confirm(token))).toMatchObject({ state: "WAITING", expiresAt: expect.any(String) });
    expect(await inForce()).toBe("2.9.5");
    expect(data(await read("2.9.6"))).toMatchObject({
      needsSecond: true,
      pending: { isOwn: true, by: { email: first.email } },
    });
    expect(data(await read("2.9.6", second))).toMatchObject({ pending: { isOwn: false } });
    expect((await confirm(token)).status).toBe(409);
    expect(await inForce()).toBe("2.9.5");
    expect(data(await confirm(second))).toMatchObject({ state: "IN_FORCE" });
    expect(await inForce()).toBe("2.9.6");
    expect(await db().policyActivation.findFirst({ where: { version: "2.9.6" } })).toMatchObject({
      requestedById: first.id,
    });
    expect(await audits("POLICY_ACTIVATION_REQUESTED")).toBe(1);
    // Who has to confirm follows from the policy in force: 2.9.6 is a copy of 2.9.0 and asks for one.
    expect(data(await activate("2.9.0", { replaces: "2.9.6" }))).toMatchObject({ state: "IN_FORCE" });
  });

  it.each([
    ["orders_execution.two_person_policy", 1, 0, true],
    ["orders_execution.two_person_roles", 1, 0, true],
    ["orders_execution.two_person_roles", 1, 1, false],
    ["orders_execution.two_person_rotation_usd", 5_000, 0, true],
    ["orders_execution.two_person_rotation_usd", 5_000, 6_000, true],
    ["orders_execution.two_person_rotation_usd", 5_000, 4_000, false],
    ["portfolio_limits.live_second_approver_usd", 5_000, 6_000, true],
    ["portfolio_limits.live_second_approver_usd", 5_000, 4_000, false],
  ])("of %s, a change from %d to %d takes a second administrator: %s", async (field, before, after, isSecondNeeded) => {
    for (const [version, value] of [
      ["2.9.5", before],
      ["2.9.6", after],
    ] as const) {
      data(await create({ version }));
      data(await edit(version, { revision: 1, fields: { [field]: value, [CLOSES]: 3 } }));
      await tried(version, 2);
    }
    data(await activate("2.9.5", { revision: 2 }));
    expect(data(await read("2.9.6"))).toMatchObject({ needsSecond: isSecondNeeded });
    expect(data(await confirm(token))).toMatchObject({ state: isSecondNeeded ? "WAITING" : "IN_FORCE" });
    if (isSecondNeeded) expect(data(await confirm(second))).toMatchObject({ state: "IN_FORCE" });
  });

  it("an edit in between, a request that expired, and one of a former administrator ask anew", async () => {
    await askForTwo();
    await ready("2.9.6");
    data(await confirm(token));
    data(await edit("2.9.6", { revision: 2, fields: { [CLOSES]: 5 } }, second));
    await tried("2.9.6", 3);
    expect(data(await read("2.9.6"))).toMatchObject({ pending: null });
    expect(data(await confirm(second, 3))).toMatchObject({ state: "WAITING" });
    expect(await inForce()).toBe("2.9.5");

    await db().pendingApproval.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
    expect(data(await confirm(token, 3))).toMatchObject({ state: "WAITING" });

    await db().user.update({ where: { id: first.id }, data: { role: "USER" } });
    expect(data(await confirm(second, 3))).toMatchObject({ state: "WAITING" });
    expect(await inForce()).toBe("2.9.5");
  });

  it("of two administrators who confirm at once one asks and the other grants", async () => {
    await askForTwo();
    await ready("2.9.6");
    const states = (await Promise.all([confirm(token), confirm(second)])).map((answer) => data(answer).state);
    expect(states.sort()).toEqual(["IN_FORCE", "WAITING"]);
    expect(await inForce()).toBe("2.9.6");
  });
});

it("callers without a sign-in and traders are refused", async () => {
  const trader = await makeSignIn(db(), await makeUser(db()));
  const doors = [
    [policyDoor, "GET"],
    [versionsDoor, "GET"],
    [versionsDoor, "POST"],
    [versionDoor, "GET"],
    [versionDoor, "PATCH"],
    [versionDoor, "DELETE"],
    [startDoor, "POST"],
    [activateDoor, "POST"],
    [diffDoor, "GET"],
    [whatIfDoor, "GET"],
    [cancelDoor, "POST"],
  ] as const;
  for (const [door, method] of doors) {
    const params = { version: "2.9.0", id: UNKNOWN };
    expect((await callDoor(door, method, { params })).status).toBe(401);
    expect((await callDoor(door, method, { token: trader, params })).status).toBe(403);
  }
});
