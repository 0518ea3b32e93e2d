import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { admission } from "./admission.ts";
import { processWide } from "./process-wide.ts";

/** What one process counts for Prometheus; names follow its conventions: base units, counters end in _total. */
export interface Metrics {
  registry: Registry;
  /** Calls of the API by their path template, from the request to its answer. */
  http: Histogram<"method" | "path" | "status">;
  /** Runs of jobs by their end: "done", "failed". The label "job" is Prometheus' own, for what it scraped. */
  jobs: Histogram<"work" | "outcome">;
  /** Calls of vendors and of the practice market, by how they ended: "ok" or the kind of fault. */
  providers: Histogram<"provider" | "operation" | "outcome">;
  /** Requests to brokers, by how they ended: "ok", "refused" where keys were, or "failed". */
  broker: Histogram<"outcome">;
}

/** Up to 10 s: callers do not wait longer. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

const shared = processWide<Metrics>("tradewindMetrics");

export const metrics = (): Metrics => shared.orMake(createMetrics);

function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "tradewind_" });
  const registers = [registry];
  new Gauge({
    name: "tradewind_http_reads_in_progress",
    help: "Reads that wait for the beginning of their answer.",
    registers,
    collect() {
      this.set(admission().reads);
    },
  });
  new Counter({
    name: "tradewind_http_turned_away_total",
    help: "Reads refused with 503 because too many were waiting.",
    registers,
    collect() {
      this.reset();
      this.inc(admission().turnedAway);
    },
  });
  return {
    registry,
    http: new Histogram({
      name: "tradewind_http_request_duration_seconds",
      help: "Calls of the API, by path template.",
      labelNames: ["method", "path", "status"],
      buckets: SECONDS,
      registers,
    }),
    jobs: new Histogram({
      name: "tradewind_job_duration_seconds",
      help: "Runs of background jobs.",
      labelNames: ["work", "outcome"],
      buckets: JOB_SECONDS,
      registers,
    }),
    providers: new Histogram({
      name: "tradewind_provider_call_duration_seconds",
      help: "Calls of market data vendors.",
      labelNames: ["provider", "operation", "outcome"],
      buckets: SECONDS,
      registers,
    }),
    broker: new Histogram({
      name: "tradewind_broker_request_duration_seconds",
      help: "Requests to brokers.",
      labelNames: ["outcome"],
      buckets: SECONDS,
      registers,
    }),
  };
}
