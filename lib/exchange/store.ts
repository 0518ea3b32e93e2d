import pg from "pg";

const TABLES = [
  "accounts",
  "orders",
  "positions",
  "fills",
  "activities",
  "equity",
  "watchlists",
  "symbols",
  "oauth_clients",
  "oauth_tokens",
  "state",
] as const;
export type Table = (typeof TABLES)[number];

/** One event of the trade_updates stream, sent only after the rows behind it are committed. */
export interface StreamEvent {
  accountId: string;
  data: Record<string, unknown>;
}

/**
 * Memory is authoritative; the journal carries its changes to the database. Changes made in one go are
 * committed together, and `commit` resolves when everything written so far is safe.
 */
export interface Journal {
  write(table: Table, key: string, body: object): void;
  erase(table: Table, key: string): void;
  emit(event: StreamEvent): void;
  commit(): Promise<void>;
  load(): Promise<Map<string, Record<string, unknown>[]>>;
  close(): Promise<void>;
}

interface Batch {
  rows: Map<string, { table: Table; key: string; body: string | null }>;
  events: StreamEvent[];
  done: Promise<void>;
  resolve: () => void;
}

function emptyBatch(): Batch {
  let resolve = () => {};
  const done = new Promise<void>((r) => (resolve = r));
  return { rows: new Map(), events: [], done, resolve };
}

async function writeRows(client: pg.PoolClient, batch: Batch): Promise<void> {
  for (const table of TABLES) {
    const changed = [...batch.rows.values()].filter((row) => row.table === table);
    const kept = changed.filter((row) => row.body !== null);
    const gone = changed.filter((row) => row.body === null);
    if (kept.length > 0) {
      await client.query(
        `insert into exchange.${table} (key, body) select * from unnest($1::text[], $2::jsonb[])
         on conflict (key) do update set body = excluded.body`,
        [kept.map((row) => row.key), kept.map((row) => row.body)],
      );
    }
    if (gone.length > 0)
      await client.query(`delete from exchange.${table} where key = any($1)`, [gone.map((row) => row.key)]);
  }
}

async function writeBatch(pool: pg.Pool, batch: Batch): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await writeRows(client, batch);
    await client.query("commit");
    client.release();
  } catch (error) {
    // A connection that failed mid-way is closed with its open transaction.
    client.release(true);
    throw error;
  }
}

/** A journal without a database: nothing survives the process. */
function memoryJournal(send: (event: StreamEvent) => void): Journal {
  let events: StreamEvent[] = [];
  return {
    write() {},
    erase() {},
    emit: (event) => void events.push(event),
    async commit() {
      const due = events;
      events = [];
      for (const event of due) send(event);
    },
    load: async () => new Map(),
    close: async () => {},
  };
}

export async function openJournal(
  databaseUrl: string | null,
  send: (event: StreamEvent) => void,
  complain: (message: string) => void,
): Promise<Journal> {
  if (databaseUrl === null) return memoryJournal(send);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  // An idle connection that breaks is replaced by the next query; without a listener it would end the process.
  pool.on("error", (error) => complain(`database connection lost: ${error.message}`));
  await pool.query("create schema if not exists exchange");
  for (const table of TABLES) {
    await pool.query(`create table if not exists exchange.${table} (key text primary key, body jsonb not null)`);
  }

  let batch = emptyBatch();
  let isFlushing = false;
  let isClosed = false;

  async function flush(): Promise<void> {
    if (isFlushing) return;
    isFlushing = true;
    while (batch.rows.size > 0 || batch.events.length > 0) {
      const due = batch;
      batch = emptyBatch();
      for (let waitMs = 100; due.rows.size > 0; waitMs = Math.min(5_000, waitMs * 2)) {
        try {
          await writeBatch(pool, due);
          break;
        } catch (error) {
          complain(`could not write to the database, trying again: ${String(error)}`);
          if (isClosed) break;
          await new Promise((resolve) => setTimeout(resolve, waitMs));
        }
      }
      for (const event of due.events) send(event);
      due.resolve();
    }
    isFlushing = false;
  }

  return {
    write(table, key, body) {
      batch.rows.set(`${table} ${key}`, { table, key, body: JSON.stringify(body) });
    },
    erase(table, key) {
      batch.rows.set(`${table} ${key}`, { table, key, body: null });
    },
    emit: (event) => void batch.events.push(event),
    async commit() {
      if (batch.rows.size === 0 && batch.events.length === 0) return;
      const { done } = batch;
      void flush();
      await done;
    },
    async load() {
      const rows = new Map<string, Record<string, unknown>[]>();
      for (const table of TABLES) {
        const found = await pool.query<{ body: Record<string, unknown> }>(`select body from exchange.${table}`);
        rows.set(
          table,
          found.rows.map((row) => row.body),
        );
      }
      return rows;
    },
    async close() {
      isClosed = true;
      await flush();
      await pool.end();
    },
  };
}
