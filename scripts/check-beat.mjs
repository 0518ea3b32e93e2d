// Whether this container's worker or watchdog beats: ends with 0 when its row in ProcessBeat is fresh. The health check of docker-compose.yml.
// `--unknown-is-alive`, for a check that ends the container: where Postgres does not answer nothing can beat, and a new start would not help.
import os from "node:os";
import pg from "pg";

/** By the container's own clock, which made the beat: the database's may be another. */
const FRESH_MS = 30_000;

const client = new pg.Client({ connectionString: process.env.DATABASE_URL, connectionTimeoutMillis: 5_000 });
try {
  await client.connect();
  const { rowCount } = await client.query(
    `select from "ProcessBeat" where starts_with("owner", $1) and "beatAt" between $2 and $3`,
    [`${os.hostname()}:`, new Date(Date.now() - FRESH_MS), new Date(Date.now() + FRESH_MS)],
  );
  process.exitCode = rowCount === 0 ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = process.argv.includes("--unknown-is-alive") ? 0 : 1;
} finally {
  await client.end().catch(() => undefined);
}
