import { randomUUID } from "node:crypto";
import { MARKETS } from "@/lib/domain/enums.ts";
import { writePacks } from "@/lib/server/core/bar-packs.ts";
import { db } from "@/lib/server/db.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import { makeDecision } from "./decisions.ts";
import type { Person } from "./people.ts";
import { isTable, keyOf, makeRow, makeSharedRow, personalTables } from "./rows.ts";

interface Ids {
  /** The id of a row made for this one call. */
  own: (person: Person) => Promise<string>;
  /** False for shared rows: then there is no "another user's". */
  isPersonal: boolean;
}

/** Nouns of paths whose table has another name. */
const TABLES: Record<string, string> = {
  trades: "Order",
  plans: "RotationPlan",
  rotation: "RotationPlan",
  jobs: "JobRun",
  parked: "Intent",
  "all-trades": "Order",
  versions: "PolicyVersion",
  mails: "Outbox",
  "sign-ins": "SignIn",
  push: "PushSubscription",
  requests: "ManualOrder",
};

/** Nouns whose id is more than the key of a plain row. */
const BY_HAND: Record<string, Ids> = {
  accounts: {
    isPersonal: true,
    own: async (person) =>
      (await makeAccount(db(), person.userId, { name: person.canary("Account.name"), broker: "ALPACA" })).id,
  },
  // A position is named by its account and its symbol; one of AAPL is in each.
  positions: {
    isPersonal: true,
    own: async (person) => {
      const { id } = await makeAccount(db(), person.userId, { name: person.canary("Account.name"), broker: "ALPACA" });
      const held = { symbol: VALUES.symbol ?? "", qty: 1, avgEntryPrice: 100, openedAt: new Date() };
      await db().position.create({ data: { accountId: id, ...held, strategy: "MOMENTUM" } });
      return id;
    },
  },
  users: {
    isPersonal: true,
    own: async (person) => (await makeUser(db(), { firstName: person.canary("User.firstName") })).id,
  },
  // A person has one at a time.
  preview: {
    isPersonal: true,
    own: async (person) => {
      await db().settingsPreview.deleteMany({ where: { userId: person.userId } });
      return String(keyOf(await makeRow("SettingsPreview", person)));
    },
  },
  decisions: { isPersonal: true, own: async (person) => (await makeDecision(person)).id },
  // A cycle is shared; a decision in it makes it a user's.
  cycles: {
    isPersonal: true,
    own: async (person) => (await makeDecision(person)).cycleId,
  },
  // A symbol is no user's row; an unknown one is not found. It is known in each market, whichever a call is about.
  symbols: {
    isPersonal: false,
    own: async () => {
      const news = { id: "heard-of", headline: "Heard of", source: "wire", symbols: ["AAPL"], publishedAt: new Date() };
      await db().newsItem.createMany({ data: MARKETS.map((market) => ({ ...news, market })), skipDuplicates: true });
      const one = Float64Array.of(10);
      const bars = { symbol: "AAPL", dates: ["2020-01-31"], open: one, high: one, low: one, close: one, volume: one };
      for (const market of MARKETS) await writePacks(db(), market, "2020-01-31", [bars]);
      return "AAPL";
    },
  },
};

/** Parameters that name no row of a person's: their value is the same for all users. */
const VALUES: Record<string, string> = { symbol: "AAPL", week: "2020-02-03" };

/** "feature-flags" → "FeatureFlag". */
const tableOf = (noun: string) =>
  TABLES[noun] ??
  noun
    .replace(/ies$/, "y")
    .replace(/s$/, "")
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");

/** How a person comes to an id of this noun. Throws a sentence for the developer who adds an unknown parameter. */
export function idsOf(noun: string, parameter: string, where: string): Ids {
  const byHand = BY_HAND[noun];
  if (byHand) return byHand;
  const value = VALUES[parameter];
  if (value !== undefined) return { isPersonal: false, own: async () => value };
  const table = tableOf(noun);
  if (!isTable(table)) {
    throw new Error(
      `${where}: it is not defined how a user comes to a {${parameter}} of "${noun}". ` +
        "Say so in TABLES, BY_HAND or VALUES of lib/proof/principals/own-ids.ts.",
    );
  }
  const isPersonal = personalTables().includes(table);
  return {
    isPersonal,
    own: async (person) => {
      const row = isPersonal ? await makeRow(table, person) : await makeSharedRow(table);
      const key = keyOf(row);
      if (key === undefined) throw new Error(`${where}: no second row of "${table}" could be made for one person.`);
      return String(key);
    },
  };
}

/** Ids without an owner. */
export const UNKNOWN_ID = () => randomUUID();
export const MALFORMED_ID = "not-an-id';--";
