import http from "node:http";
import { createLog } from "./log.ts";
import { metrics } from "./metrics.ts";

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  /** Brings gauges up to date before they are read; what it cannot read is left as it was. */
  refresh?: () => Promise<void>;
}

/** Answers GET /metrics in Prometheus' text form, on a port of its own. */
export async function serveMetrics({ host, port, refresh }: Options): Promise<MetricsServer> {
  const log = createLog("metrics");
  const { registry } = metrics();
  const server = http.createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    void (async () => {
      await refresh?.().catch((error: unknown) => log.warn("metrics.not-read", { err: error }));
      const text = await registry.metrics();
      response.writeHead(200, { "content-type": registry.contentType }).end(text);
    })().catch((error: unknown) => {
      log.error("metrics.not-read", { err: error });
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).once("listening", resolve).listen(port, host),
  );
  // A scrape does not keep a process alive that is done.
  server.unref();
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
