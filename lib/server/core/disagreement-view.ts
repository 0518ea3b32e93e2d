import { disagreementText } from "@/lib/domain/consensus/source-text.ts";
import type { MarketName, PriceFigure } from "@/lib/domain/enums.ts";
import type { Prisma } from "../db.ts";
import { sessionOf } from "../rows.ts";
import { sourceValuesOf } from "./json.ts";

export interface DisagreementRow {
  market: MarketName;
  symbol: string;
  session: Date;
  figure: PriceFigure;
  values: Prisma.JsonValue;
  deviationBps: number;
  limitBps: number;
  foundAt: Date;
  clearedAt: Date | null;
}

/** What sources disagreed about, as the console shows it. */
export function disagreementView(row: DisagreementRow) {
  const { market, symbol, session, figure, foundAt, clearedAt } = row;
  const text = disagreementText({ ...row, values: sourceValuesOf(row) });
  return { market, symbol, figure, text, sessionDate: sessionOf(session), foundAt, clearedAt };
}
