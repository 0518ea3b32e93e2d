import type { Endpoint, Given, Method } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { requestPorts } from "./request-context.ts";
import { serve, serveAnonymous, type RouteParameters, type ServeOptions, type Service } from "./serve.ts";

export type Handler = (request: Request, parameters: RouteParameters) => Promise<Response>;

/** A handler that knows what it promises. */
export type Route = Handler & { readonly endpoint: Endpoint };

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

/** Binds a contract to a service. The endpoint declares who may call: there is no route without it. */
export function defineRoute<E extends Endpoint, G extends Given<E> = Given<E>>(
  endpoint: E,
  service: Service<E, G>,
  options: ServeOptions<E, G> = {},
): Route {
  const handler: Handler = (request, parameters) =>
    serve(endpoint, service, request, parameters, requestPorts(), options);
  return Object.assign(handler, { endpoint });
}

/** The handlers of one path. Other methods answer 405 in the envelope. */
export function defineMethods(...routes: Route[]): Record<(typeof METHODS)[number], Handler | Route> {
  const taken = new Map<string, Handler | Route>(
    routes.map((route) => [route.endpoint.method satisfies Method, route]),
  );
  const get = taken.get("GET");
  if (get) taken.set("HEAD", withoutBody(get));
  const allowed = [...taken.keys()].join(", ");
  const refused: Handler = (request) =>
    serveAnonymous(request, new Failure("method_not_allowed", `This address does not answer ${request.method}.`), {
      allow: allowed,
    });
  return Object.fromEntries(METHODS.map((method) => [method, taken.get(method) ?? refused])) as Record<
    (typeof METHODS)[number],
    Handler
  >;
}

/** Every method of a path where nothing is. */
export function defineNothing(): Record<(typeof METHODS)[number], Handler> {
  const nothing: Handler = (request) =>
    serveAnonymous(request, new Failure("not_found", "There is nothing at this address."));
  return Object.fromEntries(METHODS.map((method) => [method, nothing])) as Record<(typeof METHODS)[number], Handler>;
}

function withoutBody(get: Handler): Handler {
  return async (request, parameters) => {
    const { status, headers, body } = await get(request, parameters);
    // HEAD: the file is not made.
    await body?.cancel();
    return new Response(null, { status, headers });
  };
}
