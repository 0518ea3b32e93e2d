import { randomUUID } from "node:crypto";
import type { Download } from "@/lib/contracts/download.ts";
import type { Endpoint, Given, Received } from "@/lib/contracts/endpoint.ts";
import { failureStatus, type Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../context.ts";
import { createLog } from "../log.ts";
import { metrics } from "../metrics.ts";
import { traced, type Span } from "../tracing.ts";
import { asFailure, encode, refuse, sendFile, succeed } from "./answer.ts";
import { admit, identify } from "./admit.ts";
import { clientAddress } from "./client-address.ts";
import { parseInput } from "./parse-input.ts";
import { deviceMarkOf } from "./device-mark.ts";
import { readInput } from "./read-input.ts";
import { spendFactorCheck, type FactorCheck } from "./spend-factor-check.ts";
import { settle, spendLimit, spendPersonLimit, type TakenPoint } from "./spend-limit.ts";

export type Service<E extends Endpoint, G extends Given<E> = Given<E>> = (
  context: Context<E["access"]>,
  input: Received<E>,
) => Promise<G>;

/** What a request's context is made of beside the request itself. */
export type Ports = Pick<Context, "now" | "db" | "brokers" | "marketData" | "queue">;

export interface ServeOptions<E extends Endpoint, G extends Given<E> = Given<E>> {
  /** Headers that follow from what the service gave, contract or not: a sign-in sets its cookie. */
  headers?: (given: G, request: Request) => Record<string, string | string[]>;
  /** Headers that follow from a refusal of the service. */
  refusalHeaders?: (failure: Failure) => Record<string, string>;
  /** Counts failed checks of a code of a person who is known. */
  factorCheck?: FactorCheck<E>;
}

export interface RouteParameters {
  /** Next resolves it to undefined for a path without parameters. */
  params: Promise<Record<string, string | string[] | undefined> | undefined>;
}

/** Failures that are not wrong guesses are refunded like a success. */
const NO_GUESS_STATUS = 200;

const log = createLog("web");

/**
 * One request from route to response, in a trace of its own: what a caller says of a trace of theirs (`traceparent`) is not read, else callers
 * would choose what is recorded here.
 */
export async function serve<E extends Endpoint, G extends Given<E> = Given<E>>(
  endpoint: E,
  service: Service<E, G>,
  request: Request,
  parameters: RouteParameters,
  ports: Ports,
  options: ServeOptions<E, G> = {},
): Promise<Response> {
  const requestId = randomUUID();
  const { method, path } = endpoint;
  return traced(
    "request",
    { method, route: `/api/v1${path}`, requestId },
    (span) => answerRequest(endpoint, service, { request, requestId, span }, parameters, ports, options),
    { isRoot: true },
  );
}

/** Each step is a function of its own; none knows a feature. */
async function answerRequest<E extends Endpoint, G extends Given<E>>(
  endpoint: E,
  service: Service<E, G>,
  { request, requestId, span }: { request: Request; requestId: string; span: Span },
  { params }: RouteParameters,
  ports: Ports,
  options: ServeOptions<E, G>,
): Promise<Response> {
  const startedAt = performance.now();
  const spent: TakenPoint[] = [];
  const guesses: TakenPoint[] = [];
  try {
    const address = clientAddress(request.headers);
    const device = deviceMarkOf(request.headers, ports.now());
    const caller = await admit(endpoint, request, ports, { address, device, spent });
    if (caller.kind === "user") spent.push(...(await spendPersonLimit(endpoint, caller.userId)));
    const sent = await readInput(request, (await params) ?? {}, endpoint);
    // A body takes its sender's time: what ended the sign-in meanwhile ends this call.
    const actor = caller.kind === "user" && request.body !== null ? await identify(endpoint, request, ports) : caller;
    const input = parseInput(endpoint, sent);
    const described = { ...describe(request, requestId, address), device };
    const context: Context<E["access"]> = { ...ports, actor, log, request: described };
    if (options.factorCheck) guesses.push(...(await spendFactorCheck(options.factorCheck, context, input)));
    const given = await service(context, input);
    const response = endpoint.downloadType
      ? sendFile(requestId, endpoint.downloadType, given as Download)
      : succeed(request, requestId, encode(endpoint, given), endpoint.isBare);
    await Promise.all([settle(spent, response.status), settle(guesses, response.status)]);
    for (const [name, values] of Object.entries(options.headers?.(given, request) ?? {}))
      for (const value of [values].flat()) response.headers.append(name, value);
    count(endpoint, response.status, startedAt);
    span.set({ status: response.status });
    return response;
  } catch (error) {
    const response = fail(error, endpoint, requestId, startedAt);
    for (const [name, value] of Object.entries(options.refusalHeaders?.(asFailure(error)) ?? {}))
      response.headers.append(name, value);
    await settle(spent, response.status);
    await settle(guesses, options.factorCheck?.isGuess(error) === false ? NO_GUESS_STATUS : response.status);
    count(endpoint, response.status, startedAt);
    span.set({ status: response.status, error: asFailure(error).code });
    if (response.status >= 500) span.fail(asFailure(error).code);
    return response;
  }
}

function count({ method, path }: Endpoint, status: number, startedAt: number): void {
  metrics().http.observe({ method, path, status }, (performance.now() - startedAt) / 1000);
}

function describe(request: Request, id: string, ipAddress: string | null): Context["request"] {
  return { id, ipAddress, userAgent: request.headers.get("user-agent")?.slice(0, 300) ?? null };
}

function fail(error: unknown, { method, path }: Endpoint, requestId: string, startedAt: number): Response {
  const failure = asFailure(error);
  const status = failureStatus(failure.code);
  const fields = {
    requestId,
    method,
    path,
    status,
    code: failure.code,
    durationMs: Math.round(performance.now() - startedAt),
  };
  if (failure.code === "internal") log.error("request.failed", { ...fields, err: failure.cause ?? failure });
  else if (status >= 500) log.warn("request.refused", { ...fields, reason: failure.message, err: failure.cause });
  return refuse(failure, requestId);
}

/** A failure outside of every endpoint, in the envelope of all. */
export const serveFailure = (failure: Failure): Response => refuse(failure, randomUUID());

/** A request that no endpoint answers, counted like any other. */
export async function serveAnonymous(
  request: Request,
  failure: Failure,
  headers: Record<string, string> = {},
): Promise<Response> {
  const requestId = randomUUID();
  try {
    const spent = await spendLimit("api", clientAddress(request.headers));
    await settle(spent, failureStatus(failure.code));
    return refuse(failure, requestId, headers);
  } catch (error) {
    return refuse(asFailure(error), requestId);
  }
}
