import { Card } from "../../_ui/card.tsx";
import { moneyText, signedMoneyText } from "@/lib/domain/format.ts";
import { Time } from "../../_ui/time.tsx";
import type { Performance } from "./performance-screen.tsx";

/** What equity is made of, from the first day on: our own books beside the broker's figure, to the cent. */
export function StatementCard({ performance }: { performance: Performance }) {
  const { statement, asOf } = performance;
  if (statement === null) return null;
  const lines = [
    { label: "Deposits less withdrawals", note: "The opening balance counts as a deposit", amount: statement.deposits },
    {
      label: "Realized profit and loss",
      note: "From sales, first bought first sold",
      amount: statement.realized,
    },
    {
      label: "Unrealized profit and loss",
      note: statement.hasOtherAssets
        ? "Value of the positions less what was paid for them; of crypto and options also what sales brought"
        : "Value of the positions less what was paid for them",
      amount: statement.unrealized,
    },
    { label: "Dividends and interest", note: null, amount: statement.dividends },
    { label: "Fees", note: "Charged by the broker apart from trades", amount: -statement.fees || 0 },
    ...(statement.unread === 0
      ? []
      : [
          {
            label: "Not read yet",
            note: "Recorded since the account was last read at the broker",
            amount: statement.unread,
          },
        ]),
  ];
  return (
    <Card title="Statement" className="break-inside-avoid">
      <table className="w-full max-w-2xl text-sm tabular-nums">
        <caption className="pb-2 text-left text-xs text-muted">
          Since the beginning, whatever the period above
          {asOf !== null && (
            <>
              ; as of <Time at={asOf} />
            </>
          )}
        </caption>
        <tbody>
          {lines.map(({ label, note, amount }) => (
            <tr key={label} className="border-b border-line">
              <th scope="row" className="py-2 text-left font-normal">
                {label}
                {note !== null && <span className="block text-xs text-muted">{note}</span>}
              </th>
              <td className="amount py-2 text-right align-top">{signedMoneyText(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="py-2 text-left font-semibold">
              Equity at the broker
            </th>
            <td className="amount py-2 text-right font-semibold">{moneyText(statement.equity)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}
