/**
 * Every change of a row, noted by triggers of the test's own database: what a call has changed is then read from a few lines. To
 * compare a hundred tables before and after each of thousands of calls would cost Postgres more than the calls themselves.
 */
import pg from "pg";
import { superuserUrl } from "../fixtures/every-right.ts";
import { tables, type Owner } from "./rows.ts";

/** Every call of a test makes a sign-in; counts of calls to providers are written by a timer, whatever calls then. */
const NOT_WATCHED = new Set(["SignIn", "ProviderCall"]);

/** With the rights of its owner: the product's role may neither read nor change what is noted. */
const NOTING = `
  create schema watched;
  create table watched.change (id bigint generated always as identity primary key, what text not null, line text not null);
  create function watched.note() returns trigger language plpgsql security definer as $$
  begin
    if tg_op <> 'UPDATE' or old is distinct from new then
      insert into watched.change (what, line) values (tg_op || ' ' || tg_table_name, concat_ws(E'\\n', old::text, new::text));
    end if;
    return null;
  end $$`;

let client: pg.Client | undefined;

function opened(): pg.Client {
  if (!client) throw new Error("watchRows() comes first");
  return client;
}

/** After openRows(), which knows the tables. */
export async function watchRows(): Promise<void> {
  client = new pg.Client({ connectionString: superuserUrl() });
  await client.connect();
  const triggers = tables()
    .filter((table) => !NOT_WATCHED.has(table))
    .map(
      (table) =>
        `create trigger zz_watched after insert or update or delete on "${table}" for each row execute function watched.note()`,
    );
  await client.query([NOTING, ...triggers].join(";"));
}

export async function closeChanges(): Promise<void> {
  await client?.end();
}

/** A place among the changes: what comes after it is answered by `changesSince`. */
export async function lastChange(): Promise<string> {
  const { rows } = await opened().query<{ id: string }>("select coalesce(max(id), 0) as id from watched.change");
  return rows[0]?.id ?? "0";
}

/** What was inserted, updated or deleted since then, by table: anything at all, or what names this person or their account. */
export async function changesSince(place: string, of?: Owner): Promise<string[]> {
  const ids = of ? [`%${of.userId}%`, `%${of.accountId}%`] : ["%"];
  const { rows } = await opened().query<{ what: string }>(
    "select distinct what from watched.change where id > $1 and line like any($2) order by what",
    [place, ids],
  );
  return rows.map(({ what }) => what);
}
