/** The people of a new installation: the first administrator, and with DEMO a demo administrator and a demo trader. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "../lib/server/context.ts";
import { DEMO_TRADER_EMAIL } from "../lib/server/demo-trader.ts";
import { env } from "../lib/server/env.ts";
import { ensureUser } from "../lib/server/services/auth/ensure-user.ts";

interface SignIn {
  email: string;
  password: string;
}

/** `admin`: none where another administrator came first, or it was erased since. */
interface Demo {
  trader: SignIn;
  admin?: SignIn;
}

const password = () => `Tw-${randomBytes(9).toString("base64url")}-7a`;

/** Passwords of the demo sign-ins are made once per installation and kept beside its data; `npm start` prints what stands there. */
async function demoSignIns({ db }: Context, dataDir: string, isFirst: boolean): Promise<Demo> {
  const file = path.join(dataDir, "demo.json");
  const demo: Demo = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as Demo)
    : { trader: { email: DEMO_TRADER_EMAIL, password: password() } };
  if (isFirst) demo.admin ??= { email: "admin@tradewind.example", password: password() };
  else if (demo.admin && (await db.user.count({ where: { email: demo.admin.email } })) === 0) delete demo.admin;
  writeFileSync(`${file}.new`, JSON.stringify(demo, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return demo;
}

/**
 * Idempotent. Administrators are made where there is none, and never again: one is always left, and who was erased does not come back with the next
 * start. Answers the demo trader's id; null without DEMO.
 */
export async function seedPeople(context: Context): Promise<string | null> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD, DATA_DIR, DEMO } = env();
  const isFirst = (await context.db.user.count({ where: { role: "ADMIN" } })) === 0;
  if (isFirst && ADMIN_EMAIL && ADMIN_PASSWORD) {
    await ensureUser(context, {
      email: ADMIN_EMAIL,
      password: ADMIN_PASSWORD,
      firstName: "First",
      lastName: "Administrator",
      role: "ADMIN",
    });
  }
  if (!DEMO || !DATA_DIR) return null;
  const { admin, trader } = await demoSignIns(context, DATA_DIR, isFirst);
  if (isFirst && admin) await ensureUser(context, { ...admin, firstName: "Ada", lastName: "Marsh", role: "ADMIN" });
  const { id } = await ensureUser(context, { ...trader, firstName: "Tom", lastName: "Reed", role: "USER" });
  return id;
}
