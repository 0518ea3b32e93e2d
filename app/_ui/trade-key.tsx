/** What the marks of a chart stand for. */
export function TradeKey() {
  return (
    <span>
      <span aria-hidden className="text-gain">
        ▲
      </span>{" "}
      buy{" "}
      <span aria-hidden className="ml-1 text-loss">
        ▼
      </span>{" "}
      sell
    </span>
  );
}

/** The same for the dots below a line. */
export function DotKey() {
  return (
    <span>
      <span aria-hidden className="mr-0.5 inline-block size-1.5 rounded-full bg-gain align-middle" /> buy{" "}
      <span aria-hidden className="mr-0.5 ml-1 inline-block size-1.5 rounded-full border border-loss align-middle" />{" "}
      sell
    </span>
  );
}
