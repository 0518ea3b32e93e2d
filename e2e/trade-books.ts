import { change, eastern, money, rowsOf } from "./books.ts";

/** The latest round trip of the person that has come to its end; null before the first. */
export async function closedTripOf(email: string): Promise<ClosedTrip | null> {
  const orderOf = (side: string, at: string) =>
    `(select f."orderId" from "Fill" f where f."accountId" = t."accountId" and f.symbol = t.symbol
       and f.side = '${side}' and f.at = t."${at}" order by f.id limit 1)`;
  const [trip] = await rowsOf<ClosedTrip>(
    `select t.symbol, t.pnl::text, t.outcome::text, t.fees::text, t."qtyBought"::text bought, t."qtySold"::text sold,
       t."entryValue"::text "entryValue", t."exitValue"::text "exitValue", ${eastern('t."openedAt"')} "openedAt",
       ${eastern('t."closedAt"')} "closedAt", ${orderOf("BUY", "openedAt")} "entryId", ${orderOf("SELL", "closedAt")} "exitId"
     from "RoundTrip" t join "Account" a on a.id = t."accountId" join "User" u on u.id = a."userId"
     where u.email = $1 and t."closedAt" is not null order by t."closedAt" desc limit 1`,
    [email],
  );
  return trip ?? null;
}

type ClosedTrip = Record<
  | "symbol"
  | "pnl"
  | "outcome"
  | "fees"
  | "bought"
  | "sold"
  | "entryValue"
  | "exitValue"
  | "openedAt"
  | "closedAt"
  | "entryId"
  | "exitId",
  string
>;

interface Gate {
  detail: string;
  passed: boolean;
}

type OrderRow = Record<
  | "side"
  | "symbol"
  | "qty"
  | "filled"
  | "average"
  | "value"
  | "fees"
  | "brokerId"
  | "clientId"
  | "decidedAt"
  | "decisionPrice"
  | "stop"
  | "target"
  | "decisionId"
  | "line"
  | "engine"
  | "policy"
  | "realized",
  string
> & { confidence: number; limit: string | null };

/** All that the database holds of one filled order, and of the decision that it came of. */
export async function storyOf(orderId: string) {
  const [order] = await rowsOf<OrderRow>(
    `select o.side::text, o.symbol, o.qty::text, o."filledQty"::text filled, o."filledAvgPrice"::text average,
       o."filledValue"::text value, o."brokerOrderId" "brokerId", o."clientOrderId" "clientId", o."limitPrice"::text "limit",
       ${eastern('i."decidedAt"')} "decidedAt", i."decisionPrice"::text "decisionPrice", i."stopLossPrice"::text stop,
       i."takeProfitPrice"::text target, d.id "decisionId", d.line, d."engineVersion" engine, d."policyVersion" policy,
       (select (p ->> 'confidence')::float from jsonb_array_elements(d.plan -> 'orders') p
         where (p ->> 'leg')::int = i.leg) confidence,
       (select sum(f.fees)::text from "Fill" f where f."orderId" = o.id) fees,
       (select sum(c."realizedPnl")::text from "LotClosure" c join "Lot" l on l.id = c."lotId"
         join "Fill" f on f.id = l."openFillId" join "Fill" g on g.id = c."fillId"
         where o.id in (f."orderId", g."orderId")) realized
     from "Order" o join "Intent" i on i.id = o."intentId" join "DecisionRecord" d on d.id = i."decisionId"
     where o.id::text = $1`,
    [orderId],
  );
  if (order === undefined) throw new Error(`order ${orderId} came of no decision`);
  const fills = await rowsOf<Record<"at" | "qty" | "price" | "value" | "fees", string>>(
    `select ${eastern("at")} as at, qty::text, price::text, (qty * price)::text value, fees::text
     from "Fill" f where f."orderId"::text = $1 order by f.at, f.id`,
    [orderId],
  );
  const verdicts = await rowsOf<{ phase: "T1" | "T2"; passed: boolean; at: string; results: Gate[] }>(
    `select v.phase, v.passed, ${eastern("v.at")} as at, v.results
     from "GateVerdict" v join "Order" o on o."intentId" = v."intentId" where o.id::text = $1 order by v."createdAt"`,
    [orderId],
  );
  const lots = await rowsOf<
    Record<"bought" | "sold" | "qty" | "cost" | "proceeds" | "fees" | "realized" | "otherEnd", string>
  >(
    `select ${eastern('l."openedAt"')} bought, ${eastern("c.at")} sold, c.qty::text, c.cost::text, c.proceeds::text,
       c.fees::text, c."realizedPnl"::text realized,
       case when f."orderId"::text = $1 then g."orderId" else f."orderId" end "otherEnd"
     from "LotClosure" c join "Lot" l on l.id = c."lotId" join "Fill" f on f.id = l."openFillId"
     join "Fill" g on g.id = c."fillId" where $1 in (f."orderId"::text, g."orderId"::text) order by c.at, l.sequence`,
    [orderId],
  );
  return { ...order, fills, verdicts, lots };
}

const shares = (exact: string) => String(Number(exact));

/** Nothing is said of fees where there are none: the broker charges them apart. */
const feesOf = (fees: string) => (Number(fees) === 0 ? [] : [money(fees)]);

export type Story = Awaited<ReturnType<typeof storyOf>>;

/** The cells of the tables of a trade's page, row by row. */
export function cellsOf({ fills, lots }: Story): Record<"fills" | "lots", string[]> {
  return {
    fills: fills.flatMap(({ at, qty, price, value, fees }) => [
      at,
      shares(qty),
      money(price),
      money(value),
      ...feesOf(fees),
    ]),
    lots: lots.flatMap(({ bought, sold, qty, cost, proceeds, fees, realized, otherEnd }) => [
      bought,
      sold,
      shares(qty),
      money(cost),
      money(proceeds),
      ...feesOf(fees),
      change(realized),
      otherEnd,
    ]),
  };
}

/** What the page of a round trip's entry has to say, part by part. */
export function entryTexts(trip: ClosedTrip, story: Story): Record<string, string[]> {
  const { symbol, decisionPrice, fills, policy } = story;
  const bps = (10_000 * (Number(story.average) - Number(decisionPrice))) / Number(decisionPrice);
  const beyond = Number(story.value) - Number(decisionPrice) * Number(story.filled);
  return {
    head: [
      `${shares(story.filled)} ${symbol}`,
      `at ${money(story.average)}`,
      "Momentum entry",
      money(story.value),
      `${bps > 0 ? "+" : bps < 0 ? "−" : ""}${Math.abs(bps).toFixed(1)} bps`,
      money(String(beyond)),
      ...feesOf(story.fees),
      change(story.realized),
    ],
    "What happened": [
      "Decided: Momentum entry",
      `Buy ${shares(story.qty)} ${symbol}, decided at ${money(decisionPrice)}`,
      story.decidedAt,
      ...story.verdicts.flatMap(({ results, at }) => [`All ${results.length} passed`, at]),
      ...fills.flatMap(({ qty, price, at }) => [`Filled ${shares(qty)} at ${money(price)}`, at]),
      "Filled completely",
      `Round trip closed: ${change(trip.pnl)}`,
      trip.closedAt,
    ],
    Why: [(100 * story.confidence).toFixed(1)],
    Proof: [story.line, "Momentum", policy, story.engine, story.decidedAt],
    "Protective orders": ["Protective stop", "Profit target", money(story.stop)],
    "Round trip": tripTexts(trip),
    Order: [
      money(story.limit),
      money(decisionPrice),
      money(story.stop),
      money(story.target),
      story.clientId,
      story.brokerId,
    ],
  };
}

/** What the page of a round trip's last sale has to say. */
export function exitTexts(trip: ClosedTrip, story: Story): Record<string, string[]> {
  const { fills, symbol } = story;
  return {
    head: [
      `${shares(story.filled)} ${symbol}`,
      `at ${money(story.average)}`,
      money(story.value),
      ...feesOf(story.fees),
      change(story.realized),
    ],
    "What happened": [
      ...fills.flatMap(({ qty, price, at }) => [`Filled ${shares(qty)} at ${money(price)}`, at]),
      "Filled completely",
      `Round trip closed: ${change(trip.pnl)}`,
    ],
    "Round trip": tripTexts(trip),
    Order: [story.brokerId],
  };
}

function tripTexts(trip: ClosedTrip): string[] {
  return [
    { WIN: "Win", LOSS: "Loss", SCRATCH: "Scratch" }[trip.outcome] ?? trip.outcome,
    change(trip.pnl),
    `${shares(trip.bought)} for ${money(trip.entryValue)}`,
    `${shares(trip.sold)} for ${money(trip.exitValue)}`,
    ...feesOf(trip.fees),
    trip.openedAt,
    trip.closedAt,
  ];
}

/** What the page of a decision has to say: the account as it was, and each order with the trade that came of it. */
export async function decisionStory(id: string) {
  const [decision] = await rowsOf<
    Record<"line" | "equity" | "cash" | "power" | "input" | "output", string> &
      Record<"held" | "screened" | "seated" | "signals" | "entries" | "bought", number>
  >(
    `select d.line, d."accountState" ->> 'equity' equity, d."accountState" ->> 'cash' cash,
       d."accountState" ->> 'buyingPower' power, jsonb_array_length(d."accountState" -> 'positions') held,
       d."inputHash" input, d."outputHash" output, c.seated,
       (d.plan #>> '{counts,screened}')::int screened, (d.plan #>> '{counts,signals}')::int signals,
       (select count(*)::int from jsonb_array_elements(d.plan -> 'orders') p where p ->> 'purpose' = 'ENTRY') entries,
       (select count(distinct i.leg)::int from "Intent" i join "Order" o on o."intentId" = i.id and o."parentId" is null
         where i."decisionId" = d.id and i.purpose = 'ENTRY' and o."filledQty" > 0) bought
     from "DecisionRecord" d join "Cycle" c on c.id = d."cycleId" where d.id::text = $1`,
    [id],
  );
  if (decision === undefined) throw new Error(`there is no decision ${id}`);
  const orders = await rowsOf<Record<"side" | "symbol" | "qty" | "price", string> & { tradeId: string | null }>(
    `select p ->> 'side' side, p ->> 'symbol' symbol, p ->> 'qty' qty, p ->> 'decisionPrice' price,
       (select o.id from "Intent" i join "Order" o on o."intentId" = i.id and o."parentId" is null
         where i."decisionId" = d.id and i.leg = (p ->> 'leg')::int order by i.attempt desc limit 1) "tradeId"
     from "DecisionRecord" d, jsonb_array_elements(d.plan -> 'orders') p where d.id::text = $1 order by (p ->> 'leg')::int`,
    [id],
  );
  return { ...decision, orders };
}

/** What the log says of an order: that it was sent, and each of its executions. */
export async function logLinesOf(email: string, { clientId }: { clientId: string }): Promise<string[]> {
  const rows = await rowsOf<{ message: string }>(
    `select l.message from "LogEvent" l join "User" u on u.id = l."userId"
     where u.email = $1 and l.context ->> 'clientOrderId' = $2 order by l.id`,
    [email, clientId],
  );
  return rows.map(({ message }) => message);
}

/** What the log's last lines say of orders in the symbol that was traded last. */
export async function latestOrderLines(email: string): Promise<{ symbol: string; lines: string[] }> {
  const rows = await rowsOf<{ message: string; symbol: string }>(
    `with latest as (select l.id, l.message, l.context ->> 'symbol' symbol
       from "LogEvent" l join "User" u on u.id = l."userId" where u.email = $1 order by l.id desc limit 100)
     select message, symbol from latest where message ~ '^(Sent|Filled): '
       and symbol = (select symbol from latest where message like 'Filled: %' order by id desc limit 1) order by id`,
    [email],
  );
  return { symbol: rows[0]?.symbol ?? "", lines: rows.map(({ message }) => message) };
}
