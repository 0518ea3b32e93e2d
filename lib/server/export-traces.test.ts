import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";
import { openCollector, traceNoMore, traceTo, type Collector } from "@/lib/proof/fixtures/collector.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { startTracing } from "./export-traces.ts";
import { forgetEnv } from "./env.ts";
import { createLog } from "./log.ts";
import type { Log, LogEventName } from "./log-events.ts";
import { currentTraceId, currentTraceparent, sharedTracing, stopTracing, traced, tracedWithin } from "./tracing.ts";

const REQUEST = { method: "GET", route: "/api/v1/trades", requestId: "0198c0de-0000-7000-8000-000000000001" } as const;
const nothing = () => Promise.resolve();

let collector: Collector;
beforeEach(async () => {
  useLeastEnv();
  collector = await openCollector();
});
afterEach(async () => {
  vi.useRealTimers();
  await traceNoMore();
  await collector.close();
});

/** The spans of what was done, by their names. */
async function received() {
  await stopTracing();
  return Object.fromEntries(collector.spans.map((span) => [span.name, span]));
}

function listeningLog(): Log & { events: LogEventName[] } {
  const events: LogEventName[] = [];
  const note = (event: LogEventName) => void events.push(event);
  return { debug: note, info: note, warn: note, error: note, events };
}

describe("without a collector", () => {
  it("work runs as it is, and no span is open in it", async () => {
    await startTracing("web");
    expect(sharedTracing.tradewindTracing).toBeUndefined();
    const seen = await traced("request", REQUEST, (span) => {
      span.set({ status: 200 });
      span.fail("internal");
      return Promise.resolve([currentTraceparent(), currentTraceId() ?? null]);
    });
    expect(seen).toEqual([null, null]);
    await expect(traced("step", { step: "decide" }, () => Promise.reject(new Error("as it is")))).rejects.toThrow(
      "as it is",
    );
  });

  it("no part of the library is loaded, and with one it is", () => {
    const loaded = (endpoint: string) =>
      execFileSync(process.execPath, ["--import", "tsx", "--eval", WHAT_IS_LOADED], {
        encoding: "utf8",
        env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
      }).trim();
    expect(loaded("")).toBe("false");
    expect(loaded(collector.url)).toBe("true");
  });
});

const WHAT_IS_LOADED = `
  import { createRequire } from "node:module";
  import { startTracing } from "./lib/server/export-traces.ts";
  await import("./lib/server/http/serve.ts");
  await startTracing("web", { debug() {}, info() {}, warn() {}, error() {} });
  const { cache } = createRequire(import.meta.url);
  console.log(Object.keys(cache).some((file) => /@opentelemetry.(sdk|exporter|otlp|resources|core)/.test(file)));
  process.exit(0);
`;

describe("a trace", () => {
  beforeEach(() => traceTo(collector.url));

  it("hangs together: what runs within a span is its child, whatever is awaited between", async () => {
    await traced("request", REQUEST, async (span) => {
      await new Promise(setImmediate);
      await traced("order", { side: "BUY", purpose: "ENTRY" }, () =>
        traced("broker", { operation: "submit" }, nothing),
      );
      await traced("transaction", {}, nothing);
      span.set({ status: 200 });
    });
    const spans = await received();
    const [request, order, broker, transaction] = [
      "GET /api/v1/trades",
      "order",
      "broker submit",
      "database transaction",
    ].map((name) => spans[name]!);
    expect(request).toMatchObject({
      parentSpanId: "",
      kind: "SERVER",
      service: "tradewind-worker",
      isFailed: false,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/api/v1/trades",
        "http.response.status_code": 200,
        "tradewind.request.id": REQUEST.requestId,
      },
    });
    expect(order).toMatchObject({ parentSpanId: request!.spanId, kind: "INTERNAL" });
    expect(broker).toMatchObject({ parentSpanId: order!.spanId, kind: "CLIENT" });
    expect(transaction).toMatchObject({ parentSpanId: request!.spanId, kind: "CLIENT" });
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it("continues in another process that was handed its traceparent", async () => {
    let carried: string | null = null;
    await traced("request", REQUEST, () => {
      carried = currentTraceparent();
      return nothing();
    });
    await traced("job", { job: "mail", attempt: 2 }, nothing, { parent: carried });
    const { "GET /api/v1/trades": request, "job mail": job } = await received();
    expect(job).toMatchObject({ traceId: request!.traceId, parentSpanId: request!.spanId, kind: "CONSUMER" });
    expect(job!.attributes).toEqual({ "tradewind.job.name": "mail", "tradewind.job.attempt": 2 });
  });

  it.each([
    "",
    "nonsense",
    `00-${"0".repeat(32)}-${"1".repeat(16)}-01`,
    `00-${"1".repeat(32)}-${"0".repeat(16)}-01`,
    `00-${"1".repeat(32)}-${"1".repeat(16)}-01-more`,
    `00-${"A".repeat(32)}-${"1".repeat(16)}-01`,
    `01-${"1".repeat(32)}-${"1".repeat(16)}-01`,
  ])("begins anew where the queue hands over %j", async (parent) => {
    await traced("job", { job: "mail", attempt: 1 }, nothing, { parent });
    const { "job mail": job } = await received();
    expect(job!.parentSpanId).toBe("");
    expect(job!.traceId).not.toBe("1".repeat(32));
  });

  it("a failure is named by its code, and is passed on to the caller", async () => {
    const failing = traced("broker", { operation: "submit" }, () =>
      Promise.reject(new Failure("broker_unavailable", "ada@example.com")),
    );
    await expect(failing).rejects.toThrow("ada@example.com");
    const { "broker submit": broker } = await received();
    expect(broker).toMatchObject({ isFailed: true, attributes: { "error.type": "broker_unavailable" } });
    expect(collector.requests.join("")).not.toContain("ada@example.com");
  });

  it("work that its span left behind belongs to no trace", async () => {
    let goOn: () => void = () => undefined;
    let late: Promise<unknown> = Promise.resolve();
    await traced("request", REQUEST, () => {
      late = new Promise<void>((resolve) => (goOn = resolve)).then(async () => {
        expect([currentTraceId() ?? null, currentTraceparent()]).toEqual([null, null]);
        await tracedWithin("provider", { provider: "Finnhub", operation: "earnings" }, nothing);
        await traced("broker", { operation: "orders" }, nothing);
      });
      return nothing();
    });
    goOn();
    await late;
    const spans = await received();
    expect(Object.keys(spans).sort()).toEqual(["GET /api/v1/trades", "broker orders"]);
    expect(spans["broker orders"]!.parentSpanId).toBe("");
  });

  it("a line of the log names the trace that it was written in, and no other line does", async () => {
    const lines: string[] = [];
    const log = createLog("test", { write: (line) => void lines.push(line) });
    log.info("worker.stopped", {});
    await traced("request", REQUEST, () => {
      log.info("worker.stopped", {});
      return nothing();
    });
    const { "GET /api/v1/trades": request } = await received();
    const ids = lines.map((line) => (JSON.parse(line) as { traceId?: string }).traceId ?? null);
    expect(ids).toEqual([null, request!.traceId]);
  });
});

describe("the standard settings", () => {
  const hundred = async () => {
    for (let nth = 0; nth < 100; nth += 1)
      await traced("job", { job: "mail", attempt: 1 }, () => traced("broker", { operation: "orders" }, nothing));
    await stopTracing();
    return collector.spans;
  };

  it("a share of the traces is kept, and those that are kept are whole", async () => {
    await traceTo(collector.url, { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" });
    const spans = await hundred();
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === "").map(({ traceId }) => traceId);
    expect(roots.length).toBeGreaterThan(10);
    expect(roots.length).toBeLessThan(90);
    const children = spans.filter(({ parentSpanId }) => parentSpanId !== "").map(({ traceId }) => traceId);
    expect(children.sort()).toEqual(roots.sort());
  });

  it("always_off sends nothing", async () => {
    await traceTo(collector.url, { OTEL_TRACES_SAMPLER: "always_off" });
    expect(await hundred()).toEqual([]);
    expect(collector.requests).toEqual([]);
  });

  it("the address of traces comes first, as it stands, and the service has the name that it was given", async () => {
    await traceTo("http://127.0.0.1:9", {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/of/traces`,
      OTEL_SERVICE_NAME: "my-tradewind",
    });
    await traced("step", { step: "decide" }, nothing);
    expect(await received()).toMatchObject({ decide: { service: "my-tradewind" } });
    expect(collector.requests).toEqual([expect.stringMatching(/^POST \/of\/traces /)]);
  });
});

describe("a collector that does not answer well", () => {
  it("one that refuses is logged once a minute, and no work notices", async () => {
    const refusing = await openCollector(400);
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = refusing.url;
    forgetEnv();
    const log = listeningLog();
    await startTracing("worker", log);
    // Two full batches go out at once.
    for (let nth = 0; nth < 1_200; nth += 1)
      expect(await traced("step", { step: "decide" }, () => Promise.resolve(nth))).toBe(nth);
    await stopTracing();
    expect(refusing.requests.length).toBeGreaterThan(1);
    expect(log.events).toEqual(["traces.started", "traces.not-exported"]);
    await refusing.close();
  });

  it("one that is silent does not hold the end of the process, and takes no more memory than it is granted", async () => {
    const silent = await openCollector("silence");
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = silent.url;
    forgetEnv();
    const log = listeningLog();
    await startTracing("worker", log);
    for (let nth = 0; nth < 10_000; nth += 1) await traced("step", { step: "decide" }, nothing);
    await stopTracing();
    // The first batch still waits for its answer, and is not told as lost.
    expect(log.events).toEqual(["traces.started"]);
    const sent = silent.requests.reduce((sum, request) => sum + (request.match(/"spanId"/g)?.length ?? 0), 0);
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(2_048 + 512);
    await silent.close();
  });
});
