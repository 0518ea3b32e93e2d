import { randomUUID } from "node:crypto";
import pg from "pg";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { env } from "@/lib/server/env.ts";
import { accessTokenHash, newAccessToken } from "@/lib/server/secrets/access-token.ts";
import { sealWebhook } from "@/lib/server/secrets/seal-webhook.ts";
import { SIGN_IN_MS } from "@/lib/server/secrets/token.ts";

export type Row = Record<string, unknown>;

interface Column {
  table: string;
  name: string;
  isNullable: boolean;
  hasDefault: boolean;
  type: string;
}

interface Reference {
  table: string;
  column: string;
  to: string;
}

interface Catalogue {
  columns: Map<string, Column[]>;
  references: Reference[];
  /** The first member of each enumeration, by type; of a text that a check holds to a list, by "Table.column". */
  firstLabels: Map<string, string>;
}

/** Whose a row is: its text holds a canary of theirs, a new one in every field. */
export interface Owner {
  userId: string;
  accountId: string;
  /** Notes which field holds the canary, so that a leak is named. */
  canary(of: string): string;
  /** Rows made before, by table: what a required reference of the next one points at. */
  made: Map<string, Row>;
}

let client: pg.Client | undefined;
let catalogue: Catalogue | undefined;
/** Rows without an owner: cycles, policies, snapshots. Made once and shared. */
const shared = new Map<string, Row>();

export async function openRows(): Promise<void> {
  client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  catalogue = await readCatalogue(client);
}

export async function closeRows(): Promise<void> {
  await client?.end();
}

function opened(): { client: pg.Client; catalogue: Catalogue } {
  if (!client || !catalogue) throw new Error("openRows() comes first");
  return { client, catalogue };
}

async function readCatalogue(database: pg.Client): Promise<Catalogue> {
  const columns = await database.query<Column>(`
    select table_name as "table", column_name as "name", is_nullable = 'YES' as "isNullable",
           column_default is not null as "hasDefault", udt_name as "type"
    from information_schema.columns where table_schema = 'public' and table_name !~ '^_' order by ordinal_position`);
  const references = await database.query<Reference>(`
    select c.relname as "table", a.attname as "column", f.relname as "to" from pg_constraint r
    join pg_class c on c.oid = r.conrelid join pg_class f on f.oid = r.confrelid
    join pg_attribute a on a.attrelid = r.conrelid and a.attnum = r.conkey[1]
    where r.contype = 'f' and r.conparentid = 0 and r.connamespace = 'public'::regnamespace`);
  const labels = await database.query<{ type: string; label: string }>(`
    select distinct on (t.typname) t.typname as "type", e.enumlabel as "label"
    from pg_enum e join pg_type t on t.oid = e.enumtypid order by t.typname, e.enumsortorder`);
  const checks = await database.query<{ table: string; text: string }>(`
    select c.relname as "table", pg_get_constraintdef(k.oid) as "text" from pg_constraint k
    join pg_class c on c.oid = k.conrelid where k.contype = 'c' and k.connamespace = 'public'::regnamespace`);
  const lists = checks.rows.flatMap(({ table, text }) =>
    [...text.matchAll(/(\w+)"? = ANY \(+ARRAY\['([^']+)/g)].map(([, column, label = ""]) => ({
      type: `${table}.${column}`,
      label,
    })),
  );
  return {
    columns: byTable(columns.rows),
    references: references.rows,
    firstLabels: new Map([...labels.rows, ...lists].map(({ type, label }) => [type, label])),
  };
}

function byTable(columns: Column[]): Map<string, Column[]> {
  const grouped = new Map<string, Column[]>();
  for (const column of columns) grouped.set(column.table, [...(grouped.get(column.table) ?? []), column]);
  return grouped;
}

export const tables = () => [...opened().catalogue.columns.keys()];
export const isTable = (name: string) => opened().catalogue.columns.has(name);

/** Every column name there is: what a hostile body may add to a valid one. */
export const columnNames = () => [...new Set([...opened().catalogue.columns.values()].flat().map(({ name }) => name))];

const OWNERS = new Set(["userId", "accountId", "subjectUserId"]);

/** Tables whose rows belong to one person: they name a user or an account, or need a row that does. */
export function personalTables(): string[] {
  const { columns, references } = opened().catalogue;
  const personal = new Set(tables().filter((table) => columns.get(table)?.some(({ name }) => OWNERS.has(name))));
  const needs = references.filter(({ table, column }) =>
    columns.get(table)?.some(({ name, isNullable }) => name === column && !isNullable),
  );
  for (let before = -1; before !== personal.size;) {
    before = personal.size;
    for (const { table, to } of needs) if (personal.has(to)) personal.add(table);
  }
  return [...personal];
}

const BACKTEST_SETTINGS = {
  strategy: "MOMENTUM",
  riskTolerance: "MEDIUM",
  riskLevel: "MEDIUM",
  paperTradingOnly: true,
  defaultOrderSize: "1000",
  maxPositions: 3,
  maxPositionValue: "1000",
  profitTarget: "5",
  stopLoss: "3",
  checkInterval: 5,
};

const PORTFOLIO = { totalValue: "1000", cashBufferPct: 100, grossExposurePct: 0, positionCount: 0 };
/** A rotation plan as it is stored: what reads it reads these shapes. */
const ROTATION_PLAN = {
  actions: "[]",
  metrics: JSON.stringify({
    turnover: { turnoverPct: 1 },
    costs: { estimatedCostsBps: 5 },
    guardrails: { allChecksPassed: true, violations: [], details: [] },
    currentPortfolio: PORTFOLIO,
    projectedPortfolio: PORTFOLIO,
  }),
  kpiSnapshot: JSON.stringify({ avgWinToLoss: null, hitRate: null, timeStopRate: null, slippagePct: null }),
  closedAs: null,
};
let plans = 0;

/** What the database's own checks ask of a row, beside its types. */
const MUST_HOLD: Record<string, (owner: Owner) => Row> = {
  SignIn: () => ({ jti: randomUUID(), expiresAt: new Date(Date.now() + SIGN_IN_MS) }),
  AccessToken: () => ({
    tokenHash: accessTokenHash(newAccessToken()),
    lastFour: "Ab_9",
    tokenVersion: 0,
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + SIGN_IN_MS),
  }),
  EmailToken: () => ({ expiresAt: new Date(Date.now() + SIGN_IN_MS) }),
  BrokerAuthorization: () => ({ expiresAt: new Date(Date.now() + SIGN_IN_MS) }),
  TotpFactor: () => ({ confirmedAt: null, lastStep: null }),
  Passkey: () => ({ publicKey: Buffer.from([1]), counter: "0", transports: [] }),
  AuthChallenge: () => ({ failures: 0, expiresAt: new Date(Date.now() + SIGN_IN_MS), usedAt: null }),
  Order: () => ({ origin: "EXTERNAL", role: "EXTERNAL", qty: "1" }),
  Fill: () => ({ price: "10" }),
  LotClosure: () => ({ realizedPnl: "-1" }),
  Reconciliation: () => ({ isClean: true }),
  InvariantCheck: ({ accountId }) => ({ scope: accountId, isWhole: true }),
  LogEvent: (owner) => ({ context: JSON.stringify({ note: owner.canary("LogEvent.context") }) }),
  NotificationPreferences: () => ({ quietFrom: null, quietTo: null, quietTimeZone: null }),
  Webhook: (owner) => ({
    sealedTarget: sealWebhook(
      { url: `https://hooks.example/${owner.canary("Webhook.url")}`, secret: "whsec_AAAA", oldSecret: null },
      owner.userId,
    ),
    disabledReason: null,
  }),
  Delivery: (owner) => ({
    payload: JSON.stringify({
      kind: "TEST",
      createdAt: "2026-11-20T15:00:00.000Z",
      marketAt: null,
      title: owner.canary("Delivery.title"),
      text: owner.canary("Delivery.text"),
      environment: null,
      link: null,
    }),
  }),
  Notification: (owner) => ({ link: `/${owner.canary("Notification.link")}` }),
  InsightText: (owner) => ({
    state: "WRITTEN",
    fault: null,
    askedAt: new Date(),
    model: owner.canary("InsightText.model"),
    sentences: JSON.stringify([{ text: owner.canary("InsightText.sentences"), cites: ["1"] }]),
  }),
  Backtest: (owner) => ({
    error: null,
    preferences: JSON.stringify({ ...BACKTEST_SETTINGS, note: owner.canary("Backtest.preferences") }),
  }),
  // Its two settings differ; a person has one open at a time.
  BacktestGrid: (owner) => ({
    rowAxis: "MAX_POSITIONS",
    columnAxis: "STOP_LOSS",
    values: JSON.stringify({ rows: ["2", "3", "5"], columns: ["2.3", "3", "4.5"] }),
    status: "FAILED",
    error: owner.canary("BacktestGrid.error"),
  }),
  SettingsPreview: (owner) => ({
    error: null,
    draft: JSON.stringify({ ...BACKTEST_SETTINGS, note: owner.canary("SettingsPreview.draft") }),
    saved: JSON.stringify({ ...BACKTEST_SETTINGS, note: owner.canary("SettingsPreview.saved") }),
  }),
  PolicyVersion: () => {
    const version = `2.9.1-${randomUUID()}`;
    return { version, content: JSON.stringify({ ...POLICY_2_9_0, version }) };
  },
  // A session has one plan.
  RotationPlan: () => ({ ...ROTATION_PLAN, sessionDate: new Date(Date.UTC(1980, 0, (plans += 1))) }),
};

const NO_OWNER: Owner = {
  userId: randomUUID(),
  accountId: randomUUID(),
  canary: () => `shared-${randomUUID().slice(0, 8)}`,
  made: shared,
};

const NUMBERS = new Set(["int2", "int4", "int8", "numeric", "float4", "float8"]);
let instants = 0;

function valueFor({ table, name, isNullable, hasDefault, type }: Column, owner: Owner): unknown {
  if (name === "id" && type === "uuid") return randomUUID();
  if (name === "userId" || name === "subjectUserId") return owner.userId;
  if (name === "accountId") return owner.accountId;
  if (type === "text") {
    const listed = opened().catalogue.firstLabels.get(`${table}.${name}`);
    return hasDefault ? undefined : (listed ?? owner.canary(`${table}.${name}`));
  }
  if (isNullable || hasDefault) return undefined;
  if (type === "uuid") return randomUUID();
  if (type === "jsonb" || type === "json") return JSON.stringify({ note: owner.canary(`${table}.${name}`) });
  if (type === "bool") return false;
  if (type === "date") return "2026-11-20";
  if (type.startsWith("timestamp")) return new Date(Date.UTC(2026, 10, 20, 15) + 1_000 * (instants += 1));
  if (type.startsWith("_")) return "{}";
  if (NUMBERS.has(type)) return "1";
  return opened().catalogue.firstLabels.get(type);
}

/** One more row of a table, made from the catalogue: required references point at the owner's rows, or are made too. */
export async function makeRow(table: string, owner: Owner, given: Row = {}): Promise<Row> {
  const { client: database, catalogue: known } = opened();
  const columns = known.columns.get(table);
  if (!columns) throw new Error(`There is no table "${table}".`);
  const row: Row = { ...MUST_HOLD[table]?.(owner), ...given };
  for (const column of columns) {
    if (column.name in row) continue;
    const reference = known.references.find((one) => one.table === table && one.column === column.name);
    if (!reference || reference.to === "User" || reference.to === "Account") {
      row[column.name] = valueFor(column, owner);
    } else if (!column.isNullable) {
      row[column.name] = keyOf(await parentOf(reference.to, owner));
    }
  }
  const names = Object.keys(row).filter((name) => row[name] !== undefined);
  const places = names.map((_, index) => `$${index + 1}`).join(", ");
  const sql = `insert into "${table}" (${names.map((name) => `"${name}"`).join(", ")}) values (${places})
               on conflict do nothing returning *`;
  try {
    const { rows } = await database.query<Row>(
      sql,
      names.map((name) => row[name]),
    );
    const [made = {}] = rows;
    owner.made.set(table, made);
    return made;
  } catch (error) {
    throw new Error(
      `A row of "${table}" could not be made (${(error as Error).message}). ` +
        "Say in MUST_HOLD of lib/proof/principals/rows.ts what its columns have to hold.",
      { cause: error },
    );
  }
}

/** The first column of a table is its key. */
export const keyOf = (row: Row): unknown => Object.values(row)[0];

async function parentOf(table: string, owner: Owner): Promise<Row> {
  const holder = personalTables().includes(table) ? owner : NO_OWNER;
  return holder.made.get(table) ?? makeRow(table, holder);
}

/** A row without an owner, made anew. */
export const makeSharedRow = (table: string, given: Row = {}) =>
  makeRow(table, { ...NO_OWNER, made: new Map() }, given);

/** Columns whose values never leave the server, not even for the owner. */
const SECRET = /^(passwordHash|tokenHash|codeHash|jti)$|sealed/i;

export async function neverShown(): Promise<string[]> {
  const columns = [...opened().catalogue.columns.values()].flat().filter(({ name }) => SECRET.test(name));
  const parts = columns.map(({ table, name }) => `select "${name}"::text as value from "${table}"`);
  const { rows } = await opened().client.query<{ value: string | null }>(parts.join(" union "));
  return rows.flatMap(({ value }) => value ?? []);
}
