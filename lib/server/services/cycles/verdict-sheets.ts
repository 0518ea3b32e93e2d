import type { Plan } from "@/lib/domain/engine/plan.ts";
import type { SessionView } from "@/lib/domain/engine/session-view.ts";
import { VerdictSheet } from "@/lib/domain/engine/verdict-sheet.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { type Db, Prisma } from "../../db.ts";
import { sha256 } from "./market-record.ts";

export interface Sheet {
  /** SHA-256 of its text. */
  id: string;
  sheet: VerdictSheet;
  isStored: boolean;
}

/** Of open sessions, by strategy and risk level. */
const sheets = new WeakMap<SessionView, Map<string, Sheet>>();

/** The sheet of a session for accounts with these preferences, made from the first plan that asks for it. */
export function sheetOf(session: SessionView, preferences: PreferencesView, plan: Plan): Sheet {
  const known = sheets.get(session) ?? new Map<string, Sheet>();
  sheets.set(session, known);
  const key = `${preferences.strategy} ${preferences.riskLevel}`;
  let found = known.get(key);
  if (found === undefined) {
    const sheet = new VerdictSheet(plan);
    known.set(key, (found = { id: sha256(sheet.text), sheet, isStored: false }));
  }
  return found;
}

/**
 * Stores sheets, each once in a process, and then what refers to them. Where that fails they are stored again the next time: one that
 * was there already may have been deleted since, with the last decision that referred to it.
 */
export async function withStoredSheets<T>(db: Db, asked: readonly Sheet[], store: () => Promise<T>): Promise<T> {
  await storeSheets(db, asked);
  try {
    return await store();
  } catch (error) {
    for (const sheet of asked) sheet.isStored = false;
    throw error;
  }
}

async function storeSheets(db: Db, asked: readonly Sheet[]): Promise<void> {
  const missing = [...new Set(asked)].filter(({ isStored }) => !isStored);
  if (missing.length === 0) return;
  // In one order, so that no two pages of a cycle wait for each other.
  missing.sort((a, b) => byText(a.id, b.id));
  const rows = missing.map(({ id, sheet }) => Prisma.sql`(${id}, ${sheet.text}::jsonb)`);
  await db.$executeRaw`insert into "VerdictSheet" ("id", "content") values ${Prisma.join(rows)} on conflict do nothing`;
  for (const sheet of missing) sheet.isStored = true;
}
