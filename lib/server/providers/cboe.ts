import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readText, urlOf } from "./fetch-json.ts";
import type { VixRow } from "./market-data.ts";
import { closesWithin } from "./vix.ts";

/** CBOE's history of the VIX: CSV with MM/DD/YYYY dates, end of day. */
export function cboe({ url, countedAs }: { url: string; countedAs?: ProviderName }) {
  return {
    async vix(from: SessionDate, through: SessionDate): Promise<VixRow[]> {
      const rows = await readText(
        { vendor: "CBOE", countedAs, operation: "vix" },
        urlOf(url, "/VIX_History.csv"),
        rowsOf,
      );
      return closesWithin(rows, from, through);
    },
  };
}

function rowsOf(csv: string): VixRow[] {
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  if (header.replaceAll(" ", "").toUpperCase() !== "DATE,OPEN,HIGH,LOW,CLOSE") {
    throw new Failure("unavailable", "CBOE answered with an unknown table.", { cause: header.slice(0, 100) });
  }
  return lines.map((line) => {
    const [date = "", , , , close = ""] = line.split(",");
    const [month, day, year] = date.split("/");
    return { session: `${year}-${month}-${day}`, close: Number(close) };
  });
}
