/** What commands and scripts say, and end with, where they cannot do their work. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { programArgs } from "@/lib/proof/bundled.ts";

function run(args: string[], env: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env } as unknown as NodeJS.ProcessEnv,
  });
  return { status, said: `${stdout}${stderr}` };
}

it("a comparison with the brokers that could not be made ends with 2: it found no difference", async () => {
  const args = await programArgs("workers/cli/reconcile.ts");
  const unreachable = "postgresql://u:p@127.0.0.1:9/none";
  expect(run(args, {})).toMatchObject({ status: 2, said: expect.stringContaining("DATABASE_URL") as string });
  const { NODE_ENV, MASTER_KEYS, AUDIT_KEY, NEXTAUTH_SECRET } = process.env as Record<string, string>;
  const set = { NODE_ENV, MASTER_KEYS, AUDIT_KEY, NEXTAUTH_SECRET } as Record<string, string>;
  expect(run(args, { ...set, DATABASE_URL: unreachable })).toMatchObject({ status: 2 });
});

it.each([
  ["prisma/migrate.mjs", ["DATABASE_URL"]],
  ["prisma/roles.mjs", ["SUPERUSER_DATABASE_URL", "MIGRATION_DATABASE_URL", "DATABASE_URL"]],
])("%s without %j names what is not set and how a file .env is given, and asks no other database", (script, names) => {
  const { status, said } = run([script], {});
  expect(status).toBe(1);
  expect(said).toBe(
    `${names.join(", ")}: not set. A file .env is not read here: give it by node --env-file=.env ${script}\n`,
  );
});
