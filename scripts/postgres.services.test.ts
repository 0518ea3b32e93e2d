import pg from "pg";
import { expect, it } from "vitest";
import { ownPostgres } from "./own-services.mjs";
import { kill } from "./proc.mjs";

it("a server that is killed in the middle of a statement is up again with its data when the statement has ended", async () => {
  const server = await ownPostgres();
  const url = server.urlFor("postgres");
  try {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("create table kept as select 7 as n");
    // Busy with arithmetic, the session looks up only when it has done: it holds the data until then.
    const busy = client.query("select sum(sqrt(n)) from generate_series(1, 3000000) n").catch(() => "cut");
    const asker = new pg.Client({ connectionString: url });
    asker.on("error", () => undefined);
    await asker.connect();
    const isBusy = async () =>
      (await asker.query("select 1 from pg_stat_activity where query like '%sqrt%' and pid <> pg_backend_pid()"))
        .rowCount === 1;
    await expect.poll(isBusy, { timeout: 20_000, interval: 20 }).toBe(true);
    const { rows } = await asker.query<{ file: string }>("select pg_read_file('postmaster.pid') as file");
    kill(Number(rows[0]?.file.split("\n")[0]), "SIGKILL");
    await server.start();
    await busy;
    const later = new pg.Client({ connectionString: url });
    await later.connect();
    expect((await later.query("select n from kept")).rows).toEqual([{ n: 7 }]);
    await later.end();
  } finally {
    await server.remove();
  }
}, 120_000);
