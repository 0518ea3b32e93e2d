import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readText, urlOf } from "./fetch-json.ts";
import type { VixRow } from "./market-data.ts";
import { closesWithin } from "./vix.ts";

const SERIES = "VIXCLS";

/** The series of the VIX at the Federal Reserve Bank of St. Louis: CSV without a key, a session's close on the next day. */
export function fred({ url, countedAs }: { url: string; countedAs?: ProviderName }) {
  return {
    async vix(from: SessionDate, through: SessionDate): Promise<VixRow[]> {
      const rows = await readText(
        { vendor: "FRED", countedAs, operation: "vix" },
        urlOf(url, "/graph/fredgraph.csv", { id: SERIES, cosd: from, coed: through }),
        rowsOf,
      );
      return closesWithin(rows, from, through);
    },
  };
}

/** The column of the date has had two names; a day without a value says "." or nothing. */
function rowsOf(csv: string): VixRow[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  if (!/^(?:observation_date|DATE),VIXCLS$/.test(header.trim()))
    throw new Failure("unavailable", "FRED answered with an unknown table.", { cause: header.slice(0, 100) });
  return lines.flatMap((line) => {
    const [session = "", close = ""] = line.split(",").map((cell) => cell.trim());
    return /^\d{4}-\d{2}-\d{2}$/.test(session) && close !== "" ? [{ session, close: Number(close) }] : [];
  });
}
