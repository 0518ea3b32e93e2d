import { badQuery } from "./data-query.ts";
import { data, ok, type Route } from "./router.ts";

/** What the letters on trades and quotes mean; only those that occur here. */
const EXCHANGES = { N: "New York Stock Exchange", P: "NYSE Arca", Q: "NASDAQ", V: "Investors Exchange (IEX)" };
const CTA_TRADE = { "@": "Regular Sale", O: "Market Center Opening Trade", "6": "Market Center Closing Trade" };
const UTP_TRADE = { "@": "Regular Sale", O: "Opening Prints", "6": "Closing Prints" };
const QUOTE = { R: "Regular, Two-Sided Open" };

export const marketCodeRoutes: Route[] = [
  data("/v2/stocks/meta/exchanges", () => ok(EXCHANGES)),
  data("/v2/stocks/meta/conditions/{ticktype}", ({ params, query }) => {
    const tape = query.get("tape") ?? "";
    if (!["A", "B", "C"].includes(tape)) throw badQuery(`invalid tape: ${tape}`);
    if (params[0] === "quote") return ok(QUOTE);
    if (params[0] === "trade") return ok(tape === "C" ? UTP_TRADE : CTA_TRADE);
    throw badQuery(`invalid tick type: ${params[0] ?? ""}`);
  }),
];
