// The web process: Next behind an HTTP server of ours. `node scripts/web.mjs [port] [host]`.
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import { speakInLines } from "../lib/server/json-lines.mjs";
import { createAdmission, readLimit, turnAway } from "./admission.mjs";
import { CONNECTIONS_MAX, handOnAddress, nextOptions, readTarget, refusalOf, refuse, TIMEOUTS } from "./web-edge.mjs";

// Before Next is loaded, which keeps the console that it finds.
speakInLines("web");
// A standalone build carries its configuration, and none of what would read next.config.mjs.
const carried = ".next/required-server-files.json";
if (!existsSync("next.config.mjs"))
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(JSON.parse(readFileSync(carried, "utf8")).config);
const { default: next } = await import("next");

const port = Number(process.argv[2] ?? 3000);
const hostname = process.argv[3] ?? "127.0.0.1";
/** What is being answered may take this long after a signal. */
const GRACE_MS = 8_000;

const admission = createAdmission(readLimit(process.env.WEB_READS_AT_ONCE));
globalThis.tradewindAdmission = admission; // lib/server/admission.ts reads it
const app = next(nextOptions({ hostname, port }));
const server = http.createServer(TIMEOUTS, (request, response) => {
  readTarget(request);
  const refusal = refusalOf(request);
  if (refusal) return refuse(refusal, response);
  if (!admission.admit(request, response)) return turnAway(request, response);
  handOnAddress(request);
  void handle(request, response);
});
server.maxConnections = CONNECTIONS_MAX;
// Taken before Next is loaded: a port that is taken must not cost its start.
await new Promise((resolve, reject) => server.once("error", reject).once("listening", resolve).listen(port, hostname));
const waiting = [];
let handle = (request, response) => waiting.push([request, response]);
await app.prepare();
handle = app.getRequestHandler();
for (const [request, response] of waiting.splice(0)) void handle(request, response);
console.log(`web listens on http://${hostname}:${port}`);

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    // What was traced is sent, within two seconds (lib/server/export-traces.ts).
    const end = () => void Promise.resolve(globalThis.tradewindTracing?.stop()).finally(() => process.exit(0));
    server.close(end);
    server.closeIdleConnections();
    setTimeout(end, GRACE_MS).unref();
  });
}
