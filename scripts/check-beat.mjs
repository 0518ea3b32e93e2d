// Whether this container's worker or watchdog beats: ends with 0 when its row in ProcessBeat is fresh. The health check of docker-compose.yml.
// `--unknown-is-alive`, for a check that ends the container: where Postgres does not answer nothing can beat, and a new start would not help.
import os from "node:os";
import pg from "pg";

const FRESH_S = 30;
/** A beat further ahead is of a clock that was wrong. */
const CLOCKS_APART_S = 10;

const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
try {
  await client.connect();
  const { rowCount } = await client.query(
    `select from "ProcessBeat" where starts_with("owner", $1) and "beatAt" > now() - make_interval(secs => $2) and "beatAt" <= now() + make_interval(secs => $3)`,
    [`${os.hostname()}:`, FRESH_S, CLOCKS_APART_S],
  );
  process.exitCode = rowCount === 0 ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = process.argv.includes("--unknown-is-alive") ? 0 : 1;
} finally {
  await client.end().catch(() => undefined);
}
