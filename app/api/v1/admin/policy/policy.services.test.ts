import { describe, expect, it } from "vitest";
import { POLICY_2_9_0, POLICY_SECTIONS } from "@/lib/domain/policy.ts";
import { bypassingTriggers } from "@/lib/proof/fixtures/every-right.ts";
import { db } from "@/lib/server/db.ts";
import { activePolicy } from "@/lib/server/core/active-policy.ts";
import { systemContext } from "@/lib/server/system-context.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import {
  CLOSES,
  activate,
  audits,
  create,
  data,
  edit,
  first,
  inForce,
  read,
  ready,
  second,
  token,
  tried,
  twoAdministrators,
} from "@/lib/proof/fixtures/policy-doors.ts";
import * as diffDoor from "./diff/route.ts";
import * as policyDoor from "./route.ts";
import * as activateDoor from "./versions/[version]/activate/route.ts";
import * as versionDoor from "./versions/[version]/route.ts";
import * as startDoor from "./versions/[version]/what-if/route.ts";
import * as versionsDoor from "./versions/route.ts";
import * as cancelDoor from "./what-ifs/[id]/cancel/route.ts";
import * as whatIfDoor from "./what-ifs/[id]/route.ts";

const UNKNOWN = "0192f0a0-0000-7000-8000-000000000000";

twoAdministrators();

it("GET /admin/policy answers version, updated_at and the eight sections; 2.9.0 where nothing was ever stored", async () => {
  await bypassingTriggers((tx) => tx.$executeRaw`delete from "PolicyVersion"`);
  const policy = data(await callDoor(policyDoor, "GET", { token }));
  expect(Object.keys(policy).sort()).toEqual([...POLICY_SECTIONS, "updated_at", "version"].sort());
  const { updated_at: updatedAt, ...stored } = policy;
  expect(stored).toEqual(POLICY_2_9_0);
  expect(Date.parse(String(updatedAt))).toBeLessThanOrEqual(Date.now());
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
