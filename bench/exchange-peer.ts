import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The floor: an HTTP server that answers everything with the same small JSON. Says its port on stdout. */
const BODY = JSON.stringify({ status: "ACTIVE", cash: "100000", equity: "100000" });
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(BODY);
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
