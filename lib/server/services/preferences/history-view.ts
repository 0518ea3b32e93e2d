import type { Given } from "@/lib/contracts/endpoint.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import {
  historyBasis,
  historyLabel,
  historySentence,
  NO_HISTORY_YET,
  NO_MARKET_DATA,
} from "@/lib/domain/insight/history-text.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { historyPointsOf } from "../../core/json.ts";
import type { Prisma } from "../../db.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { decimalText, sessionOf } from "../../rows.ts";

type View = Pick<Given<typeof preferencesApi.explain>["strategies"][number], "history" | "historyReason">;
type Row = Prisma.StrategyHistoryGetPayload<object>;

const none = (historyReason: string): View => ({ history: null, historyReason });

/** A strategy's history on a market as it is shown before one chooses; without a row it is still to come. */
export function historyView(row: Row | undefined, market: MarketName): View {
  if (row === undefined) return none(hasMarket(market) ? NO_HISTORY_YET : NO_MARKET_DATA);
  const { strategy, reason, fromDate, throughDate, sessions, cash, totalReturn, maxDrawdown, exposure, trades } = row;
  const points = historyPointsOf(row);
  // Its columns are there together or not at all (a constraint of the table).
  if (
    fromDate === null ||
    sessions === null ||
    cash === null ||
    totalReturn === null ||
    maxDrawdown === null ||
    exposure === null ||
    trades === null ||
    points === null
  )
    return none(reason ?? NO_HISTORY_YET);
  const { winRate, indexReturn, policyVersion, computedAt } = row;
  const facts = {
    ...{ sessions, totalReturn, indexReturn, maxDrawdown, trades, winRate, exposure },
    ...{ from: sessionOf(fromDate), to: sessionOf(throughDate), cash: cash.toNumber() },
  };
  return {
    history: {
      ...{ ...facts, market, cash: decimalText(cash), points, policyVersion, computedAt },
      label: historyLabel(facts),
      basis: historyBasis(facts),
      sentence: historySentence(STRATEGIES[strategy].label, facts),
    },
    historyReason: null,
  };
}
