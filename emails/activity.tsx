import { Button, Heading, Text } from "react-email";
import type { Environment, SideName } from "@/lib/domain/enums.ts";
import { easternText } from "@/lib/domain/format.ts";
import { money, sum, type DecimalText } from "@/lib/domain/money.ts";
import { counted, dollarsText, priceText, sharesText } from "./figures.ts";
import { EnvironmentTag, Frame, styles, TextLink, type Reason } from "./frame.tsx";
import { Line, Rows, Signed } from "./rows.tsx";
import { toMail, type Mail } from "./to-mail.ts";

/** An order's fills in this mail, taken together. Amounts in USD. */
export interface MailedTrade {
  /** Market time of the last of them, ISO. */
  at: string;
  symbol: string;
  side: SideName;
  qty: DecimalText;
  value: DecimalText;
  /** The one price of all fills, or their average, rounded to the sixth place. */
  price: { text: DecimalText; isAverage: boolean };
  /** Of a sale, before regulatory fees. */
  realizedPnl: DecimalText | null;
  reason: string | null;
  href: string;
}

export interface MailedOrder {
  what: "SENT" | "REJECTED" | "CANCELLED" | "EXPIRED";
  /** Market time, ISO. */
  at: string;
  symbol: string;
  side: SideName;
  qty: DecimalText | null;
  filledQty: DecimalText;
  reason: string | null;
  /** What the broker answered to it. */
  brokerMessage: string | null;
  href: string;
}

export interface ActivityProps {
  firstName: string;
  account: { title: string; environment: Environment };
  trades: MailedTrade[];
  orders: MailedOrder[];
  /** Trade History. */
  link: string;
  supportEmail: string;
  reason: Reason | null;
}

export function activityMail(props: ActivityProps): Promise<Mail> {
  return toMail(`${props.account.environment}: ${whatHappened(props)}`, <Activity {...props} />);
}

/** "Bought 10 SPY", "2 trades and 12 orders". */
function whatHappened({ trades, orders }: Pick<ActivityProps, "trades" | "orders">): string {
  const [trade, order] = [trades[0], orders[0]];
  if (trade && trades.length === 1 && orders.length === 0) return titleOfTrade(trade);
  if (order && orders.length === 1 && trades.length === 0) return `${LABELS[order.what]}: ${titleOfOrder(order)}`;
  const parts = [
    ...(trades.length > 0 ? [counted(trades.length, "trade")] : []),
    ...(orders.length > 0 ? [counted(orders.length, "order event")] : []),
  ];
  return parts.join(" and ");
}

const LABELS = { SENT: "Sent", REJECTED: "Rejected", CANCELLED: "Cancelled", EXPIRED: "Expired" } as const;

const titleOfTrade = ({ side, qty, symbol }: MailedTrade) =>
  `${side === "BUY" ? "Bought" : "Sold"} ${sharesText(qty)} ${symbol}`;
const titleOfOrder = ({ side, qty, symbol }: MailedOrder) =>
  `${side === "BUY" ? "Buy" : "Sell"} ${qty === null ? "" : `${sharesText(qty)} `}${symbol}`;

const joined = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" · ");

function Activity(props: ActivityProps) {
  const { firstName, account, trades, orders, link, supportEmail, reason } = props;
  return (
    <Frame preview={`${account.title}: ${whatHappened(props)}`} supportEmail={supportEmail} reason={reason}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>
        <EnvironmentTag environment={account.environment} /> {account.title}
      </Text>
      {trades.length > 0 && <Trades trades={trades} />}
      {orders.length > 0 && <Orders orders={orders} />}
      <Text style={{ margin: "24px 0 0" }}>
        <Button href={link} style={styles.button}>
          Open Trade History
        </Button>
      </Text>
      {account.environment !== "LIVE" && (
        <Text className="muted" style={{ ...styles.small, marginTop: "16px" }}>
          {account.environment === "PRACTICE"
            ? "Practice market: no money is at stake, and its clock does not show today's date."
            : "Paper trading: no money is at stake."}
        </Text>
      )}
    </Frame>
  );
}

function Trades({ trades }: Pick<ActivityProps, "trades">) {
  const realized = trades.flatMap((trade) => (trade.realizedPnl === null ? [] : [money(trade.realizedPnl)]));
  return (
    <>
      <Heading as="h2" style={styles.heading}>
        Trades
      </Heading>
      <Rows>
        {trades.map((trade, index) => (
          <Line
            key={index}
            left={<TextLink href={trade.href}>{titleOfTrade(trade)}</TextLink>}
            leftBelow={joined(easternText(trade.at), trade.reason)}
            right={dollarsText(trade.value)}
            rightBelow={
              <>
                {`${trade.price.isAverage ? "on average" : "at"} ${priceText(trade.price.text)}`}
                {trade.realizedPnl !== null && (
                  <>
                    <br />
                    <Signed value={trade.realizedPnl} /> realized
                  </>
                )}
              </>
            }
          />
        ))}
        {realized.length > 1 && (
          <Line left={<strong>Realized by these sales</strong>} right={<Signed value={sum(realized).toFixed()} />} />
        )}
      </Rows>
    </>
  );
}

function Orders({ orders }: Pick<ActivityProps, "orders">) {
  return (
    <>
      <Heading as="h2" style={styles.heading}>
        Orders
      </Heading>
      <Rows>
        {orders.map((order, index) => (
          <Line
            key={index}
            left={<TextLink href={order.href}>{titleOfOrder(order)}</TextLink>}
            leftBelow={joined(easternText(order.at), order.reason, order.brokerMessage)}
            right={LABELS[order.what]}
            {...(order.what === "SENT" || order.filledQty === "0"
              ? {}
              : { rightBelow: `${sharesText(order.filledQty)} filled` })}
          />
        ))}
      </Rows>
    </>
  );
}
