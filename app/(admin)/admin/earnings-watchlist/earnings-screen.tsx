"use client";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { countText, dateText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { Tabs } from "../../../_ui/tabs.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { FigureCards, FiguresLoading } from "../../figure-cards.tsx";
import { MarketSwitch } from "../../market-switch.tsx";
import { NoScreening } from "../../no-screening.tsx";
import { useMarket } from "../../use-market.ts";
import { EarningsCalendar } from "./earnings-calendar.tsx";
import { WatchTable, type Watchlist } from "./watch-table.tsx";

const POLL_MS = 60_000;

export function EarningsScreen() {
  const { input, only } = useMarket();
  const list = useEndpoint(selectorsApi.earningsWatchlist, input, { pollMs: POLL_MS });
  const data = only(list.data);
  const updated = data?.metadata.lastUpdated;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Earnings Watchlist" environment={<MarketSwitch of={list.data} />} isStale={list.isStale}>
        {updated != null && (
          <p className="text-xs text-muted">
            Last updated: <Time at={updated} />
          </p>
        )}
      </ConsoleHead>
      {list.failure !== null ? (
        <FailureNote text="Failed to load earnings watchlist data" detail={list.failure.message} onRetry={list.retry} />
      ) : data === undefined ? (
        <FiguresLoading />
      ) : (
        <Listed list={data} />
      )}
    </div>
  );
}

function Listed({ list }: { list: Watchlist }) {
  const { values, change } = useUrlValues({ tab: "watchlist" });
  const { metadata, watchlist, isCurrent, sessionDate } = list;
  const hasRows = watchlist.length > 0;
  const isScreened = sessionDate !== null;
  const shown = (count: number) => (isScreened ? countText(count) : "—");
  const none = isScreened ? <NoStocks isCurrent={isCurrent} /> : <NoScreening of={list} />;
  return (
    <>
      {isScreened && !isCurrent && (
        <Banner kind="warning">
          {hasRows
            ? `The earnings calendar was unavailable at the last screening: this is the list of ${dateText(sessionDate)}.`
            : "The earnings calendar was unavailable at the last screening: there is no list."}
        </Banner>
      )}
      <FigureCards
        label="The watchlist"
        figures={[
          { label: "Total Stocks", value: shown(metadata.totalStocks) },
          { label: "Low Risk", value: <span className="text-gain">{shown(metadata.lowRisk)}</span> },
          { label: "Medium Risk", value: <span className="text-warn">{shown(metadata.mediumRisk)}</span> },
          { label: "High Risk", value: <span className="text-loss">{shown(metadata.highRisk)}</span> },
        ]}
      />
      <Tabs
        label="Earnings watchlist"
        value={values.tab === "calendar" ? "calendar" : "watchlist"}
        onChange={(tab) => change({ tab })}
        tabs={[
          {
            value: "watchlist",
            label: "Watchlist",
            content: hasRows ? <WatchTable list={list} /> : none,
          },
          {
            value: "calendar",
            label: "Calendar View",
            content: hasRows ? <EarningsCalendar list={list} /> : none,
          },
        ]}
      />
    </>
  );
}

function NoStocks({ isCurrent }: { isCurrent: boolean }) {
  return (
    <div className="rounded-xl border border-line bg-surface">
      <Empty
        title="No stocks on the watchlist"
        hint={
          isCurrent
            ? "No liquid stock reports within the next two weeks."
            : "The list is made at the next session's first screening, once the earnings calendar answers."
        }
      />
    </div>
  );
}
