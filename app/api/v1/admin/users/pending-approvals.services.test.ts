import { expect, it } from "vitest";
import { callDoor } from "@/lib/proof/call-door.ts";
import { db } from "@/lib/server/db.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import * as disableDoor from "./[id]/disable/route.ts";
import * as roleDoor from "./[id]/role/route.ts";

const KINDS = ["MAKE_ADMINISTRATOR", "ACTIVATE_POLICY", "EXECUTE_ROTATION"] as const;

it.each([
  ["loses the role", roleDoor, { role: "USER" }],
  ["is disabled", disableDoor, {}],
] as const)(
  "what an administrator asked for ends when they are one no longer (%s); others' requests stay",
  async (_, door, change) => {
    await db().pendingApproval.deleteMany();
    const [admin, first, other] = [
      await makeUser(db(), { role: "ADMIN" }),
      await makeUser(db(), { role: "ADMIN" }),
      await makeUser(db(), { role: "ADMIN" }),
    ];
    const at = { requestedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
    const request = (kind: (typeof KINDS)[number], by: { id: string }) => ({
      ...{ kind, subject: crypto.randomUUID(), fingerprint: "f", requestedById: by.id, ...at },
    });
    await db().pendingApproval.createMany({
      data: [...KINDS.map((kind) => request(kind, first)), request("EXECUTE_ROTATION", other)],
    });
    const token = await makeSignIn(db(), admin);
    const body = { ...change, reason: "left the company" };
    expect((await callDoor(door, "POST", { token, params: { id: first.id }, body })).status).toBe(200);
    expect(await db().pendingApproval.findMany()).toMatchObject([{ requestedById: other.id }]);
  },
);
