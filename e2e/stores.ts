/** What only a program on the same machine reads of a stack: its rows, its queue and its mails. */
import { Redis } from "ioredis";
import pg from "pg";
import { run, type Run } from "./run.ts";

interface Internal {
  databaseUrl: string;
  exchangeDatabaseUrl: string;
  redisUrl: string | null;
  controlToken: string;
  env: Record<"NEXTAUTH_SECRET" | "MASTER_KEYS" | "AUDIT_KEY", string>;
}

/** What only a program on the same machine may know of the stack. */
export const internal = () => (run() as Run & { internal: Internal }).internal;

export const mails = async () => (await fetch(`${run().mailbox}/messages.json`)).text();

export async function rowsOf<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Tables of the product that hold one of these texts somewhere in a row. */
export async function tablesWith(texts: string[]): Promise<string[]> {
  const url = internal().databaseUrl;
  const tables = await rowsOf<{ name: string }>(
    url,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const found: string[] = [];
  const anyOf = texts.map((text) => text.replace(/[^\w-]/g, "\\$&")).join("|");
  for (const { name } of tables) {
    const sql = `select 1 as x from "${name}" t where t::text ~ $1 limit 1`;
    if ((await rowsOf(url, sql, [anyOf])).length > 0) found.push(name);
  }
  return found;
}

export async function wholeRedis(): Promise<string> {
  const { redisUrl } = internal();
  if (redisUrl === null) return "";
  const client = new Redis(redisUrl);
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => client.get(key),
    hash: (key) => client.hgetall(key),
    list: (key) => client.lrange(key, 0, -1),
    set: (key) => client.smembers(key),
    zset: (key) => client.zrange(key, "0", "-1"),
    stream: (key) => client.xrange(key, "-", "+"),
    none: async () => null,
  };
  const lines: string[] = [];
  for (const key of await client.keys("*")) {
    const reader = read[await client.type(key)];
    if (!reader) throw new Error(`${key} is of a kind that this test cannot read`);
    lines.push(`${key} ${JSON.stringify(await reader(key))}`);
  }
  await client.quit();
  return lines.join("\n");
}
