import { startExchange } from "../lib/exchange/start.ts";
import { readVendorKeys } from "../lib/exchange/vendors/settings.ts";
import { speakInLines } from "../lib/server/json-lines.mjs";

speakInLines("exchange");

/** A closed reader of our output must not end the exchange. */
for (const out of [process.stdout, process.stderr]) {
  out.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

function text(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}

function number(name: string): number | undefined {
  const value = text(name);
  if (value === undefined) return undefined;
  if (!Number.isFinite(Number(value))) throw new Error(`${name} must be a number, not ${value}`);
  return Number(value);
}

const skip = text("EXCHANGE_SKIP_CLOSED");
const exchange = await startExchange({
  port: number("EXCHANGE_PORT") ?? 7070,
  livePort: number("EXCHANGE_LIVE_PORT"),
  host: text("EXCHANGE_HOST"),
  controlToken: text("EXCHANGE_CONTROL_TOKEN"),
  databaseUrl: text("EXCHANGE_DATABASE_URL"),
  tape: text("EXCHANGE_TAPE"),
  start: text("EXCHANGE_START"),
  speed: number("EXCHANGE_SPEED"),
  skipClosed: skip === undefined ? undefined : skip !== "0" && skip !== "false",
  seed: number("EXCHANGE_SEED"),
  leadSessions: number("EXCHANGE_LEAD_SESSIONS"),
  vendorKeys: readVendorKeys(text("EXCHANGE_VENDOR_KEYS")),
  complain: (message) => void process.stderr.write(`${message}\n`),
}).catch((error: unknown) => {
  process.stderr.write(
    `the paper exchange does not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
const { market, name, speed, now } = exchange.control.status();
process.stdout.write(`paper exchange listens on ${exchange.url}: ${market} "${name}", ${now}, ${speed}x\n`);

let isStopping = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    exchange.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`could not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
