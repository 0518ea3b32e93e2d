const ROWS = [
  {
    what: "Who watches the market",
    traditional: "You do",
    tradewind: "The platform, every few minutes of the trading day",
  },
  {
    what: "Who decides",
    traditional: "You do, order by order",
    tradewind: "The strategy and the limits that you set once and can change at any time",
  },
  {
    what: "Protective stops",
    traditional: "Offered; you place them",
    tradewind: "Sent to the broker together with every purchase",
  },
  {
    what: "Why a trade was made, or not made",
    traditional: "Your own notes",
    tradewind: "A record of every decision, with each check and its figure",
  },
  {
    what: "Practice",
    traditional: "Often a paper account with live prices",
    tradewind: "The same decisions on a built-in practice market, which can also replay past days",
  },
  {
    what: "What you can trade",
    traditional: "Often stocks, options, funds and more",
    tradewind: "US stocks, bought and sold; no options, no short selling",
  },
  {
    what: "Your own judgment on each order",
    traditional: "Always",
    tradewind: "Not needed: you set limits, pause, or switch it off",
  },
  {
    what: "Where your money is",
    traditional: "At the broker",
    tradewind: "At your own broker; Tradewind never holds it",
  },
] as const;

/** What each is better at, in both directions. Under 640 px each row becomes a card of its own; the roles keep it a table. */
export function Comparison() {
  return (
    <table
      role="table"
      className="w-full border-separate border-spacing-0 text-left text-sm max-sm:block sm:rounded-xl sm:border sm:border-line sm:bg-surface"
    >
      <caption className="sr-only">Tradewind compared with traditional trading platforms</caption>
      <thead role="rowgroup" className="max-sm:sr-only">
        <tr role="row" className="text-muted">
          <th role="columnheader" scope="col" className="px-4 py-3 font-medium">
            <span className="sr-only">Subject</span>
          </th>
          <th role="columnheader" scope="col" className="px-4 py-3 font-medium">
            Traditional platform
          </th>
          <th role="columnheader" scope="col" className="px-4 py-3 font-medium">
            Tradewind
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:flex max-sm:flex-col max-sm:gap-3">
        {ROWS.map(({ what, traditional, tradewind }) => (
          <tr
            key={what}
            role="row"
            className="align-top max-sm:block max-sm:rounded-xl max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-4"
          >
            <th
              role="rowheader"
              scope="row"
              className="font-medium max-sm:block sm:w-[28%] sm:border-t sm:border-line sm:px-4 sm:py-3"
            >
              {what}
            </th>
            <td role="cell" className="text-muted max-sm:mt-2 max-sm:block sm:border-t sm:border-line sm:px-4 sm:py-3">
              <span aria-hidden className="block text-xs sm:hidden">
                Traditional platform
              </span>
              {traditional}
            </td>
            <td role="cell" className="max-sm:mt-2 max-sm:block sm:border-t sm:border-line sm:px-4 sm:py-3">
              <span aria-hidden className="block text-xs text-muted sm:hidden">
                Tradewind
              </span>
              {tradewind}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
