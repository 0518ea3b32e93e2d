import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { callDoor, type Door } from "@/lib/proof/call-door.ts";
import { startBench } from "@/lib/proof/fixtures/orders.ts";
import { makePerson, tokenOf, type Person } from "@/lib/proof/principals/people.ts";
import { closeRows, openRows } from "@/lib/proof/principals/rows.ts";
import { db } from "@/lib/server/db.ts";
import * as metrics from "../admin/metrics/route.ts";
import * as system from "../admin/system/route.ts";
import * as decision from "../decisions/[id]/route.ts";
import * as decisions from "../decisions/route.ts";
import * as reports from "../logs/export/route.ts";
import * as tail from "../logs/tail/route.ts";

let exchange: Exchange;
let [person, admin] = [] as unknown as [Person, Person];

beforeAll(async () => {
  exchange = await startBench();
  await openRows();
  [person, admin] = [await makePerson("user"), await makePerson("admin")];
}, 120_000);
afterAll(async () => {
  await closeRows();
  await exchange.close();
});

async function read<T>(door: Door, of: Person, call: object = {}): Promise<T> {
  const answer = await callDoor(door, "GET", { token: await tokenOf(of), ...call });
  expect(answer.status, answer.text).toBe(200);
  return answer.json?.data as unknown as T;
}

interface Named {
  account: { name: string } | null;
}

it("an account without a name is called the same on every page and in every report", async () => {
  const { accountId, userId } = person;
  const { keyPrefix } = await db().account.update({ where: { id: accountId }, data: { name: null } });
  const title = `Practice account ${keyPrefix}…`;
  await db().logEvent.create({ data: { level: "warn", message: "decided", userId, accountId } });
  const row = await db().decisionRecord.findFirstOrThrow({ where: { accountId } });
  const { logs } = await read<{ logs: Named[] }>(tail, person, { query: "limit=1" });
  const listed = await read<{ decisions: Named[] }>(decisions, person, { query: `accountId=${accountId}` });
  const one = await read<Named>(decision, person, { params: { id: row.id } });
  expect([...logs, ...listed.decisions, one].map(({ account }) => account?.name)).toEqual(
    Array(listed.decisions.length + 2).fill(title),
  );
  const { userHealth } = await read<{ userHealth: { id: string; accounts: { name: string }[] }[] }>(metrics, admin);
  expect(userHealth.find(({ id }) => id === userId)?.accounts.map(({ name }) => name)).toContain(title);
  const { streams } = await read<{ streams: { worst: { accountId: string; name: string }[] } }>(system, admin);
  expect(streams.worst.find((stream) => stream.accountId === accountId)?.name).toBe(title);
  const headers = { authorization: `Bearer ${await tokenOf(person)}` };
  const request = new Request("http://localhost/api/v1/logs/export", { headers });
  const response = await reports.GET(request, { params: Promise.resolve({}) });
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  for (const file of ["trades.csv", "positions.csv"])
    expect(strFromU8(files[file]!), file).toContain(`${accountId},${title},PRACTICE`);
});
