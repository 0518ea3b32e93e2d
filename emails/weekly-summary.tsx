import { Button, Heading, Text } from "react-email";
import type { Environment } from "@/lib/domain/enums.ts";
import { easternDayText, easternText } from "@/lib/domain/format.ts";
import { money, type DecimalText } from "@/lib/domain/money.ts";
import { counted, dollarsText, signedDollarsText } from "./figures.ts";
import { EnvironmentTag, Frame, styles, type Reason } from "./frame.tsx";
import { Line, Rows, Signed } from "./rows.tsx";
import { toMail, type Mail } from "./to-mail.ts";

interface MailedTrip {
  symbol: string;
  pnl: DecimalText;
  reason: string | null;
}

/** A week of one environment. Amounts in USD, instants in ISO. */
export interface MailedWeek {
  environment: Environment;
  accounts: string[];
  /** Market time. */
  from: string;
  to: string;
  equityStart: DecimalText | null;
  equityEnd: DecimalText;
  netDeposits: DecimalText;
  pnl: DecimalText;
  realizedPnl: DecimalText;
  trades: number;
  volume: DecimalText;
  wins: number;
  losses: number;
  scratches: number;
  best: MailedTrip | null;
  worst: MailedTrip | null;
  exits: { reason: string; count: number; pnl: DecimalText }[];
  /** Wall time. */
  halts: { at: string; account: string; reason: string }[];
  /** The page of the week. */
  link: string;
}

export interface WeeklySummaryProps {
  firstName: string;
  /** "14 Nov – 20 Nov 2026", of the wall. */
  week: string;
  blocks: MailedWeek[];
  supportEmail: string;
  reason: Reason | null;
}

export function weeklySummaryMail(props: WeeklySummaryProps): Promise<Mail> {
  return toMail(`Your week ${props.week}`, <WeeklySummary {...props} />);
}

const headline = ({ environment, pnl, trades }: MailedWeek) =>
  `${environment}: ${signedDollarsText(pnl)}, ${counted(trades, "trade")}`;

function WeeklySummary({ firstName, week, blocks, supportEmail, reason }: WeeklySummaryProps) {
  return (
    <Frame preview={blocks.map(headline).join(" · ")} supportEmail={supportEmail} reason={reason}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>This was your week of {week}.</Text>
      {blocks.map((block) => (
        <Block key={block.environment} {...block} />
      ))}
    </Frame>
  );
}

function Block(block: MailedWeek) {
  const { environment, accounts, from, to, equityStart, equityEnd, netDeposits, pnl, realizedPnl } = block;
  const { trades, volume, wins, losses, scratches, best, worst, exits, halts, link } = block;
  const closed = wins + losses + scratches;
  return (
    <>
      <Heading as="h2" style={{ ...styles.heading, marginTop: "32px" }}>
        <EnvironmentTag environment={environment} /> {accounts.join(", ")}
      </Heading>
      {environment === "PRACTICE" && (
        <Text className="muted" style={styles.small}>
          Practice market: no money is at stake. Its clock ran from {easternDayText(from)} to {easternDayText(to)}.
        </Text>
      )}
      <Rows>
        <Line left="Equity at the start" right={equityStart === null ? "opened this week" : dollarsText(equityStart)} />
        {!money(netDeposits).isZero() && (
          <Line left="Deposits less withdrawals" right={signedDollarsText(netDeposits)} />
        )}
        <Line left={<strong>Profit and loss</strong>} right={<Signed value={pnl} />} />
        <Line left="Equity at the end" right={dollarsText(equityEnd)} />
        <Line left="Realized by sales" right={<Signed value={realizedPnl} />} />
        <Line left="Trades" right={`${trades}`} rightBelow={`${dollarsText(volume)} bought and sold`} />
        <Line
          left="Round trips closed"
          right={`${closed}`}
          {...(closed === 0 ? {} : { rightBelow: `${wins} won · ${losses} lost · ${scratches} even` })}
        />
        {best && <TripLine title={worst ? "Best" : "Round trip"} trip={best} />}
        {worst && <TripLine title="Worst" trip={worst} />}
      </Rows>
      {exits.length > 0 && (
        <>
          <Heading as="h3" style={{ ...styles.heading, fontSize: "15px" }}>
            Exits by reason
          </Heading>
          <Rows>
            {exits.map(({ reason, count, pnl: made }) => (
              <Line
                key={reason}
                left={reason}
                leftBelow={counted(count, "round trip")}
                right={<Signed value={made} />}
              />
            ))}
          </Rows>
        </>
      )}
      {halts.length > 0 && (
        <>
          <Heading as="h3" style={{ ...styles.heading, fontSize: "15px" }}>
            Halts
          </Heading>
          {halts.map(({ at, account, reason }) => (
            <Text key={`${at}${account}`} style={styles.small}>
              {easternText(at)}, {account}: {reason}
            </Text>
          ))}
        </>
      )}
      <Text style={{ margin: "24px 0 0" }}>
        <Button href={link} style={styles.button}>
          Open the week
        </Button>
      </Text>
    </>
  );
}

function TripLine({ title, trip: { symbol, pnl, reason } }: { title: string; trip: MailedTrip }) {
  return (
    <Line
      left={`${title}: ${symbol}`}
      {...(reason === null ? {} : { leftBelow: reason })}
      right={<Signed value={pnl} />}
    />
  );
}
