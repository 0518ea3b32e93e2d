import type { Instant } from "@/lib/domain/time.ts";
import { readFailure } from "./alpaca-errors.ts";
import { ordersFromWire } from "./alpaca-mapping.ts";
import type { AlpacaApi, AlpacaRequests } from "./alpaca-requests.ts";
import type { BrokerOrder, OtherAssets } from "./broker.ts";

const ORDER_PAGE = 500;
const ACTIVITY_PAGE = 100;
/** An endless list of pages means that the broker repeats itself. */
const MOST_PAGES = 1_000;

/**
 * Pages by time of submission, ascending. The edge is exclusive and cut to milliseconds, so each page
 * begins a millisecond before the last order seen and known ids are passed over.
 */
export async function allOrders(
  { read }: AlpacaRequests,
  api: AlpacaApi,
  status: "open" | "all",
  since: Instant | null,
  onOther: (order: OtherAssets["orders"][number]) => void,
): Promise<BrokerOrder[]> {
  const found = new Map<string, BrokerOrder>();
  const known = new Set<string>();
  let after = since;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const edge = after;
    const { orders, others, listed } = await read(
      "orders",
      (init) =>
        api.orders.getAllOrdersRaw(
          { status, limit: ORDER_PAGE, direction: "asc", nested: true, ...(edge === null ? {} : { after: edge }) },
          init,
        ),
      ordersFromWire,
    );
    for (const order of others) onOther(order);
    for (const order of orders) found.set(order.id, order);
    const seen = known.size;
    for (const { id } of listed) known.add(id);
    // Legs may count towards the broker's limit or not: the page is the last one only if it is short by either count.
    const rows = listed.reduce((counted, { legs }) => counted + 1 + legs, 0);
    if (rows < ORDER_PAGE) return [...found.values()];
    const last = listed.findLast(({ submittedAt }) => submittedAt !== null)?.submittedAt;
    if (known.size === seen || !last) throw readFailure(new Error("the broker repeats one page of orders"));
    after = new Date(Date.parse(last) - 1).toISOString();
  }
  throw readFailure(new Error("the broker's list of orders does not end"));
}

/** Every activity of a kind after an instant, by pages, ascending. */
export async function allActivities<T extends { activityId: string }>(
  { read }: AlpacaRequests,
  api: AlpacaApi,
  filter: { activityTypes: ["FILL"] } | { category: "non_trade_activity" },
  after: Date | null,
  parse: (wire: unknown) => T,
): Promise<T[]> {
  const found = new Map<string, T>();
  let pageToken: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const token: string | null = pageToken;
    const rows: T[] = await read(
      "activities",
      (init) =>
        api.activities.getAccountActivitiesRaw(
          {
            ...filter,
            direction: "asc",
            pageSize: ACTIVITY_PAGE,
            ...(after === null ? {} : { after }),
            ...(token === null ? {} : { pageToken: token }),
          },
          init,
        ),
      (wire) => {
        if (!Array.isArray(wire)) throw new TypeError("activities are not a list");
        return wire.map(parse);
      },
    );
    const known = found.size;
    for (const row of rows) found.set(row.activityId, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ACTIVITY_PAGE) return [...found.values()];
    if (found.size === known) throw readFailure(new Error("the broker repeats one page of activities"));
    pageToken = last.activityId;
  }
  throw readFailure(new Error("the broker's list of activities does not end"));
}
