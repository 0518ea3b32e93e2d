import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { notFound, Refusal } from "../book/refusal.ts";
import type { ExchangeControl } from "../control.ts";
import type { FaultInput } from "../faults/kinds.ts";
import type { StormInput } from "../faults/storm.ts";
import { OAUTH_ACTIONS } from "./control-oauth.ts";
import { VENUE_ACTIONS } from "./control-venue-actions.ts";
import { ok, type Reply } from "./router.ts";

const clockCommand = z.strictObject({
  speed: z.number().optional(),
  paused: z.boolean().optional(),
  advanceMinutes: z.number().optional(),
  jumpTo: z.string().optional(),
});
const newAccount = z.strictObject({
  name: z.string().optional(),
  cash: z.string().optional(),
  margin: z.boolean().optional(),
  legacy: z.boolean().optional(),
  fees: z.boolean().optional(),
  keys: z.enum(["practice", "alpaca"]).optional(),
  live: z.boolean().optional(),
});
const schedule = z.union([
  z.strictObject({ faults: z.array(z.looseObject({ kind: z.string() })).min(1) }),
  z.strictObject({ storm: z.looseObject({}) }),
]);
const named = z.looseObject({ account_number: z.string() });
const cashMove = z.strictObject({
  account_number: z.string(),
  amount: z.string(),
  activity_type: z.enum(["CSD", "CSW", "DIV", "INT", "FEE", "JNLC"]).optional(),
  symbol: z.string().optional(),
  description: z.string().optional(),
});
const sharesMove = z.strictObject({
  account_number: z.string(),
  symbol: z.string(),
  qty: z.string(),
  price: z.string().optional(),
  description: z.string().optional(),
});
const arrivalFilter = z.strictObject({
  account_number: z.string().optional(),
  method: z.string().optional(),
  client_order_id: z.string().optional(),
  path: z.string().optional(),
  after: z.coerce.number().optional(),
  since_ms: z.coerce.number().optional(),
});

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input ?? {});
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  throw new Refusal(400, 40010000, `${where}${issue?.message ?? "invalid"}`);
}

interface Command {
  /** What follows the last slash of an action that ends in one. */
  id: string;
  query: URLSearchParams;
  body: unknown;
}
type Act = (control: ExchangeControl, command: Command) => unknown;

const ACTIONS: Record<string, Act> = {
  "GET /status": (control) => control.status(),
  "POST /clock": (control, { body }) => control.clock(read(clockCommand, body)),
  "POST /accounts": (control, { body }) => control.createAccount(read(newAccount, body)),
  "GET /truth": (control, { query }) => {
    const truth = control.truth(query.get("account_number") ?? undefined);
    if (query.has("account_number") && truth.length === 0) throw notFound("no such account");
    return { accounts: truth };
  },
  "GET /faults": (control) => ({ faults: control.faults() }),
  "POST /faults": (control, { body }) => control.addFault(body as FaultInput),
  "DELETE /faults": (control) => ({ removed: control.clearFaults() }),
  "DELETE /faults/": (control, { id }) => ({ removed: control.clearFaults(id) }),
  "POST /schedule": (control, { body }) => {
    const wanted = read(schedule, body);
    const faults =
      "storm" in wanted
        ? control.storm(wanted.storm as unknown as StormInput)
        : control.schedule(wanted.faults as FaultInput[]);
    return { faults };
  },
  "GET /arrivals": (control, { query }) => control.arrivals(read(arrivalFilter, Object.fromEntries(query))),
  "POST /orders": (control, { body }) => {
    const { account_number, ...order } = read(named, body);
    return control.manualActions.placeOrder(account_number, order);
  },
  "DELETE /orders/": (control, { id }) => control.manualActions.cancelOrder(id).then(() => ({ id })),
  "PATCH /orders/": (control, { id, body }) => control.manualActions.replaceOrder(id, read(z.looseObject({}), body)),
  "POST /cash": (control, { body }) => {
    const { account_number, ...move } = read(cashMove, body);
    return control.manualActions.moveCash(account_number, move).then(() => ({ account_number }));
  },
  "POST /positions": (control, { body }) => {
    const { account_number, ...move } = read(sharesMove, body);
    return control.manualActions.moveShares(account_number, move).then(() => ({ account_number }));
  },
};

/** The HTTP face of the control API. */
export function controlOverHttp(control: ExchangeControl, token: string | undefined) {
  return async (request: IncomingMessage, path: string, query: URLSearchParams, body: unknown): Promise<Reply> => {
    if (token !== undefined && request.headers["x-control-token"] !== token)
      return { status: 401, body: { message: "unauthorized." } };
    const method = request.method ?? "GET";
    const slash = path.lastIndexOf("/");
    const [room, id] = slash > 0 ? [path.slice(0, slash + 1), path.slice(slash + 1)] : [path, ""];
    const venueAction = VENUE_ACTIONS[`${method} ${path}`];
    if (venueAction !== undefined) return ok(await venueAction(control.venueActions, body, read));
    const oauthAction = OAUTH_ACTIONS[`${method} ${path}`];
    if (oauthAction !== undefined) return ok(await oauthAction(control.oauth, body, read));
    const act = ACTIONS[`${method} ${room}`];
    if (act === undefined) throw new Refusal(404, 40410000, "no such control");
    return ok(await act(control, { id, query, body }));
  };
}
