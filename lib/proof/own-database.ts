import pg from "pg";
import { migrate } from "@/scripts/databases.mjs";
import { ownPostgres } from "@/scripts/own-services.mjs";

/** Runs work on a migrated, empty database of its own, which is removed afterwards. */
export async function withOwnDatabase<T>(name: string, work: (url: string) => Promise<T>): Promise<T> {
  const postgres = await ownPostgres();
  try {
    const url = postgres.urlFor(name);
    const admin = new pg.Client({ connectionString: postgres.urlFor("postgres") });
    await admin.connect();
    await admin.query(`create database ${name}`);
    await admin.end();
    await migrate({ migration: url, product: url });
    return await work(url);
  } finally {
    await postgres.remove();
  }
}
