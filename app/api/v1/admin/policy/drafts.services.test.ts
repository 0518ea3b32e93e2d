import { describe, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import {
  CLOSES,
  audits,
  create,
  data,
  edit,
  first,
  inForce,
  read,
  remove,
  second,
  start,
  token,
  tried,
  twoAdministrators,
} from "@/lib/proof/fixtures/policy-doors.ts";
import * as diffDoor from "./diff/route.ts";
import * as versionsDoor from "./versions/route.ts";
import * as cancelDoor from "./what-ifs/[id]/cancel/route.ts";
import * as whatIfDoor from "./what-ifs/[id]/route.ts";

const UNKNOWN = "0192f0a0-0000-7000-8000-000000000000";

twoAdministrators();

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
