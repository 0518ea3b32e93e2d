/** What the marks of a chart stand for. */
export function TradeKey() {
  return (
    <span>
      <span aria-hidden className="text-gain">
        ▲
      </span>{" "}
      buy{" "}
      <span aria-hidden className="text-loss">
        ▼
      </span>{" "}
      sell
    </span>
  );
}
