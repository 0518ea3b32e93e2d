import type { AsyncLocalStorage } from "node:async_hooks";
import { errorField, type Begun, type SpanAbout, type SpanFields } from "./span-fields.ts";

/**
 * Spans of OpenTelemetry, for everything that opens one. Off unless `startTracing` (export-traces.ts) turned it on: then nothing
 * but the work itself is run, and no library is loaded.
 */
export interface Span {
  set(fields: Partial<SpanFields>): void;
  /** Marks the span as failed. A thrown error does so by itself. */
  fail(error: string): void;
}

/** A span that has begun. */
export interface OpenSpan extends Span {
  readonly traceId: string;
  /** What another process needs to continue the trace (W3C Trace Context). */
  readonly traceparent: string;
  /** Work that was left behind by an ended span belongs to no trace. */
  readonly isOpen: boolean;
  end(): void;
}

export interface Tracing {
  begin(about: SpanAbout, fields: Partial<SpanFields>, parent: OpenSpan | string | null): OpenSpan;
  readonly active: AsyncLocalStorage<OpenSpan>;
  /** Sends what waits, for a moment at most. */
  stop(): Promise<void>;
}

/** A build may hold this file several times; there is one tracing, which scripts/web.mjs stops. */
export const sharedTracing = globalThis as unknown as { tradewindTracing?: Tracing };

const NO_SPAN: Span = { set: () => undefined, fail: () => undefined };

/** What a span hangs from: the span that is open here, another process's `traceparent`, or nothing. */
interface Origin {
  parent?: string | null;
  /** The span begins a trace of its own, wherever it is opened. */
  isRoot?: boolean;
}

/** Runs the work in a span. */
export async function traced<A extends SpanAbout, T>(
  about: A,
  fields: Begun[A],
  work: (span: Span) => Promise<T>,
  { parent = null, isRoot = false }: Origin = {},
): Promise<T> {
  const tracing = sharedTracing.tradewindTracing;
  if (tracing === undefined) return work(NO_SPAN);
  const span = tracing.begin(about, fields, isRoot ? null : (parent ?? openSpan() ?? null));
  try {
    return await tracing.active.run(span, () => work(span));
  } catch (error) {
    span.fail(errorField(error));
    throw error;
  } finally {
    span.end();
  }
}

/** Runs the work in a span where one is open already: on its own it would tell nothing. */
export async function tracedWithin<A extends SpanAbout, T>(
  about: A,
  fields: Begun[A],
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return openSpan() === undefined ? work(NO_SPAN) : traced(about, fields, work);
}

/** Adds to the span that is open here. */
export function annotate(fields: Partial<SpanFields>): void {
  openSpan()?.set(fields);
}

function openSpan(): OpenSpan | undefined {
  const span = sharedTracing.tradewindTracing?.active.getStore();
  return span?.isOpen ? span : undefined;
}

/** For work that is handed to another process; null where no span is open. */
export const currentTraceparent = (): string | null => openSpan()?.traceparent ?? null;

/** For a line of a log. */
export const currentTraceId = (): string | undefined => openSpan()?.traceId;

/** Sends what waits and turns tracing off. Resolves within two seconds, collector or not. */
export async function stopTracing(): Promise<void> {
  await sharedTracing.tradewindTracing?.stop();
}
