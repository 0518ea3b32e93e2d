import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { CSV_START, csvText } from "@/lib/domain/csv.ts";
import { easternText } from "@/lib/domain/format.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import { newYork } from "@/lib/domain/time.ts";
import { streamOf } from "../../archive.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { CSV_PAGE } from "../../csv-file.ts";
import { replicaOf } from "../../db.ts";
import { decimalTextOrNull, environmentLabel } from "../../rows.ts";
import { holdExport } from "../../core/hold-export.ts";
import { findTrades, type TradeRow } from "./find-trades.ts";
import { periodOf, tradesOfEnvironment } from "./trade-scope.ts";
import { reasonText } from "./trade-view.ts";

type Query = Received<typeof tradesApi.export>;
type File = Given<typeof tradesApi.export>;

/** Figures exactly as they are stored: a spreadsheet rounds for itself. */
const COLUMNS: readonly (readonly [title: string, cell: (row: TradeRow) => string | null])[] = [
  ["Trade ID", ({ id }) => id],
  ["Symbol", ({ symbol }) => symbol],
  ["Side", ({ side }) => side],
  ["Quantity", ({ filledQty }) => decimalTextOrNull(filledQty)],
  ["Price", ({ filledAvgPrice }) => decimalTextOrNull(filledAvgPrice)],
  ["Total Value", ({ filledValue }) => decimalTextOrNull(filledValue)],
  ["Status", ({ status }) => TRADE_STATUS[status]],
  ["Date", ({ tradedAt }) => easternText(tradedAt.toISOString())],
  ["Date (UTC)", ({ tradedAt }) => tradedAt.toISOString()],
  ["Ordered Quantity", ({ qty }) => decimalTextOrNull(qty)],
  ["Reason", ({ reason }) => (reason === null ? null : reasonText(reason))],
  ["Account", ({ account }) => accountTitle(account)],
  ["Environment", ({ account }) => environmentLabel(account)],
];

const PEOPLE: typeof COLUMNS = [
  ["First Name", ({ account }) => account.user.firstName],
  ["Last Name", ({ account }) => account.user.lastName],
  ["Email", ({ account }) => account.user.email],
];

/** The list as it is filtered and sorted, whole, as CSV. */
export async function exportTrades(context: Context<"user">, query: Query): Promise<File> {
  return fileOfTrades(context, query, COLUMNS, { isOfAll: false });
}

/** The same of all users, with whose trade it was. */
export async function exportAllTrades(context: Context<"admin">, query: Query): Promise<File> {
  return fileOfTrades(context, query, [...COLUMNS, ...PEOPLE], { isOfAll: true });
}

async function fileOfTrades(
  context: Context<"user">,
  query: Query,
  columns: typeof COLUMNS,
  whose: { isOfAll: boolean },
): Promise<File> {
  const { actor, db, now, request } = context;
  const { environment: wanted, sort, direction, ...filter } = query;
  periodOf(filter);
  const { scope, environment } = await tradesOfEnvironment(context, wanted, whose);
  const { userId } = actor;
  const held = await holdExport(context, userId);
  try {
    await db.$transaction((tx) =>
      recordAudit(tx, {
        at: now(),
        eventType: "TRADES_EXPORTED",
        ...callFacts({ actor, request }),
        subjectUserId: userId,
        data: { scope: whose.isOfAll ? "all" : "own", environment },
      }),
    );
  } catch (error) {
    await held.release();
    throw error;
  }

  const replica = replicaOf(db);
  async function* pieces() {
    const encoder = new TextEncoder();
    yield encoder.encode(CSV_START + csvText([columns.map(([title]) => title)]));
    let cursor: string | undefined;
    do {
      await held.beat();
      const page = await findTrades(replica, scope, filter, { sort, direction, cursor, limit: CSV_PAGE });
      yield encoder.encode(csvText(page.rows.map((row) => columns.map(([, cell]) => cell(row)))));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  return {
    // Of an empty file the name alone says whose money it would have been of.
    fileName: `${["trades", ...(environment ? [environment.toLowerCase()] : []), newYork(now()).date].join("-")}.csv`,
    body: streamOf(pieces(), held.release),
  };
}
