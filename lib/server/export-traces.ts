import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import type { Context as OtelContext, Span as OtelSpan, SpanContext } from "@opentelemetry/api";
import type * as Sdk from "@opentelemetry/sdk-trace";
import { env } from "./env.ts";
import { createLog } from "./log.ts";
import type { Log } from "./log-events.ts";
import { logRarely } from "./log-rarely.ts";
import { attributesOf, titleOf, type SpanAbout } from "./span-fields.ts";
import { sharedTracing, type OpenSpan, type Tracing } from "./tracing.ts";

/**
 * The only home of OpenTelemetry. It is loaded when a collector is named, and it is never made the process's own provider: libraries that look for
 * one (Next, the models' SDK) would write addresses with their queries into spans of theirs.
 */
type Program = "web" | "worker" | "watchdog";

/** Most spans that are queued for the collector; further ones are dropped, which bounds the memory while it is unavailable. */
const WAITING_MAX = 2_048;
const BATCH_MAX = 512;
const EXPORT_EVERY_MS = 2_000;
/** For one batch with its repetitions. */
const EXPORT_WITHIN_MS = 5_000;
/** For what waits at the end of the process. */
const STOP_WITHIN_MS = 2_000;

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Turns tracing on where a collector is named. Never throws: what cannot be traced is done all the same. */
export async function startTracing(program: Program, log: Log = createLog(program)): Promise<void> {
  const url = collectorUrl();
  if (url === undefined || sharedTracing.tradewindTracing !== undefined) return;
  try {
    sharedTracing.tradewindTracing = await createTracing(program, url, log);
    log.info("traces.started", {});
  } catch (error) {
    log.error("traces.not-started", { err: error });
  }
}

function collectorUrl(): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = env();
  return ofTraces ?? (ofAll === undefined ? undefined : `${ofAll}/v1/traces`);
}

async function createTracing(program: Program, url: string, log: Log): Promise<Tracing> {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const active = new AsyncLocalStorage<OpenSpan>();
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_WITHIN_MS });
  const processor = new sdk.BatchSpanProcessor({
    exporter: watched(exporter, active, log),
    maxQueueSize: WAITING_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_WITHIN_MS + 1_000,
  });
  const resource = resources
    .defaultResource()
    .merge(resources.resourceFromAttributes({ "service.name": `tradewind-${program}`, "tradewind.program": program }))
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES. What the machine is called stays here.
    .merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new sdk.TracerProvider({ resource, sampler: samplerOf(sdk), spanProcessors: [processor] });
  const tracer = provider.getTracer("tradewind");
  const kinds: Partial<Record<SpanAbout, number>> = {
    request: api.SpanKind.SERVER,
    job: api.SpanKind.CONSUMER,
    broker: api.SpanKind.CLIENT,
    provider: api.SpanKind.CLIENT,
    transaction: api.SpanKind.CLIENT,
  };

  function contextOf(parent: OpenSpan | string | null): OtelContext {
    const { ROOT_CONTEXT, trace } = api;
    const [, traceId, spanId, flags] = TRACEPARENT.exec(parent === null ? "" : traceparentOf(parent)) ?? [];
    if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
    const traceFlags = Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED;
    const context: SpanContext = { traceId, spanId, traceFlags, isRemote: typeof parent === "string" };
    return api.isSpanContextValid(context) ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT;
  }

  return {
    active,
    begin(about, fields, parent) {
      const attributes = attributesOf(fields);
      const kind = kinds[about] ?? api.SpanKind.INTERNAL;
      const span = tracer.startSpan(titleOf(about, attributes), { kind, attributes }, contextOf(parent));
      return opened(span, api.SpanStatusCode.ERROR);
    },
    async stop() {
      delete sharedTracing.tradewindTracing;
      // While it is in use, every promise of the process costs a little more.
      active.disable();
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        delay(STOP_WITHIN_MS, undefined, { ref: false }),
      ]);
    },
  };
}

const traceparentOf = (parent: OpenSpan | string) => (typeof parent === "string" ? parent : parent.traceparent);

function opened(span: OtelSpan, errorStatus: number): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  let isOpen = true;
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    get isOpen() {
      return isOpen;
    },
    set: (fields) => void span.setAttributes(attributesOf(fields)),
    fail(error) {
      span.setAttributes(attributesOf({ error }));
      span.setStatus({ code: errorStatus });
    },
    end() {
      isOpen = false;
      span.end();
    },
  };
}

/** What a collector does not take is logged once a minute; the spans of that batch are lost. */
function watched(exporter: Sdk.SpanExporter, active: AsyncLocalStorage<OpenSpan>, log: Log): Sdk.SpanExporter {
  return {
    export: (spans, done) =>
      // The timer that leads here was set within a span: what is said here belongs to none.
      active.exit(() =>
        exporter.export(spans, (result) => {
          if (result.error !== undefined || result.code !== 0)
            logRarely(log, "warn", "traces.not-exported", { err: result.error });
          done(result);
        }),
      ),
    shutdown: () => exporter.shutdown(),
  };
}

/** The standard names; the library leaves reading them to its owner. */
function samplerOf(sdk: typeof Sdk): Sdk.Sampler {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = env();
  const root = name.endsWith("traceidratio")
    ? new sdk.TraceIdRatioBasedSampler(ratio)
    : name.endsWith("always_off")
      ? new sdk.AlwaysOffSampler()
      : new sdk.AlwaysOnSampler();
  return name.startsWith("parentbased_") ? new sdk.ParentBasedSampler({ root }) : root;
}
