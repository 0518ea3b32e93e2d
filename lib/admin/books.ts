import { moneyText, priceText, sharesText } from "@/lib/domain/format.ts";
import { money, shownCents, text } from "@/lib/domain/money.ts";
import type { Context } from "@/lib/server/context.ts";
import { sessionOf } from "@/lib/server/rows.ts";
import { closeUnknownOrder } from "@/lib/server/services/sync/close-unknown-order.ts";
import {
  bookWaitingActivity,
  dismissActivity,
  listWaitingActivities,
  previewActivity,
  type ActivityPreview,
} from "@/lib/server/services/sync/settle-activity.ts";
import {
  previewBrokerBooks,
  adoptBrokerBooks,
  type BrokerBooksPreview,
} from "@/lib/server/services/sync/adopt-broker-books.ts";
import type { BooksCommand } from "./read-books.ts";

const dollars = (amount: string) => moneyText(shownCents(money(amount)).toNumber());

/** Does what was asked about books and answers the lines to print. */
export async function settleBooks(context: Context, command: BooksCommand): Promise<string[]> {
  switch (command.kind) {
    case "activities": {
      const waiting = await listWaitingActivities(context);
      if (waiting.length === 0) return ["No activity waits."];
      return waiting.map(
        ({ accountId, activityId, type, symbol, qty, amount, date }) =>
          `${activityId}  ${sessionOf(date)} ${type}${symbol === null ? "" : ` ${symbol}`}, ${qty === null ? "no shares" : sharesText(Number(qty))}, ${dollars(amount.toString())}, account ${accountId}`,
      );
    }
    case "take-broker-books": {
      const { accountId, confirm } = command;
      if (confirm === null) {
        const preview = await previewBrokerBooks(context, { accountId });
        return [...describeBooks(preview), ...howTo(`take-broker-books --account ${accountId}`, preview.hash)];
      }
      const { preview, reconciled } = await adoptBrokerBooks(context, {
        accountId,
        hash: confirm,
        reason: command.reason,
      });
      return [...describeBooks(preview), ...afterwards(accountId, reconciled)];
    }
    case "book-activity": {
      const { accountId, activityIds, source, costShares, confirm } = command;
      const choice = { accountId, activityIds, source, costShares };
      if (confirm === null) {
        const preview = await previewActivity(context, choice);
        const shares = Object.entries(costShares).map(([symbol, share]) => ` --cost-share ${symbol}=${share}`);
        const again = `book-activity ${activityIds.join(" ")} --account ${accountId}${source === null ? "" : ` --source ${source}`}${shares.join("")}`;
        return [...describeActivity(preview), ...howTo(again, preview.hash)];
      }
      const { preview, reconciled } = await bookWaitingActivity(context, {
        ...choice,
        hash: confirm,
        reason: command.reason,
      });
      return [...describeActivity(preview), ...afterwards(accountId, reconciled)];
    }
    case "dismiss-activity":
      await dismissActivity(context, command);
      return [`Dismissed: ${command.activityIds.join(", ")}. The records are unchanged.`];
    case "close-unknown-order": {
      const { closed } = await closeUnknownOrder(context, command);
      return [`Closed as cancelled: ${closed.join(", ")}.`, resumeHint(command.accountId)];
    }
  }
}

function describeBooks({ adjustments, cash }: BrokerBooksPreview): string[] {
  const { ours, adjusted, theirs, flow } = cash;
  return [
    ...(adjustments.length === 0 ? ["Positions agree."] : []),
    ...adjustments.map(
      ({ symbol, ours: here, theirs: there, side, qty, price, split }) =>
        `${symbol}: ${here} here, ${there} at the broker. ${split !== null ? `Split of ${split.exDate}: ${split.ratio} new shares for each old one.` : side === "BUY" ? `Bought: ${qty} at the broker's average price, ${priceText(price)}.` : `Sold: ${qty} at what they cost, ${priceText(price)}.`}`,
    ),
    `Cash: ${dollars(ours)} by our records, ${dollars(adjusted)} with these shares, ${dollars(theirs)} at the broker.`,
    money(flow).isZero()
      ? "No money is left over."
      : `${dollars(text(money(flow).abs()))} count as ${money(flow).gt(0) ? "paid in" : "paid out"}: neither profit nor loss.`,
  ];
}

function describeActivity({ source, costHeld, incoming, removed }: ActivityPreview): string[] {
  return [
    `${source} held then cost ${dollars(costHeld)}.`,
    ...incoming.map(
      ({ symbol, qty, costShare, cost }) =>
        `${symbol}: ${sharesText(Number(qty))} with ${text(money(costShare).times(100))} % of that cost, ${dollars(cost)}.`,
    ),
    removed === null
      ? `${source} stays, with what is left of its cost.`
      : `${source}: sold ${sharesText(Number(removed.qty))} for ${dollars(removed.proceeds)}.`,
  ];
}

const howTo = (command: string, hash: string) => [
  "Nothing is booked yet. To book exactly this:",
  `npm run admin -- ${command} --confirm ${hash} --reason "<why>"`,
];

const resumeHint = (accountId: string) =>
  `Where the account is halted: npm run admin -- resume --account ${accountId} --reason "<why>"`;

function afterwards(accountId: string, { differences }: { differences: { symbol: string }[] }): string[] {
  return differences.length === 0
    ? ["Booked. Positions agree with the broker's.", resumeHint(accountId)]
    : [`Booked. Positions still differ: ${differences.map(({ symbol }) => symbol).join(", ")}.`];
}
