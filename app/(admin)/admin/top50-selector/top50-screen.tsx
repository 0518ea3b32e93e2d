"use client";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { countText, dateText } from "@/lib/domain/format.ts";
import { REGIME_LABELS } from "@/lib/domain/selector-labels.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { Tabs } from "../../../_ui/tabs.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { FigureCards, FiguresLoading } from "../../figure-cards.tsx";
import { MarketSwitch } from "../../market-switch.tsx";
import { NoScreening } from "../../no-screening.tsx";
import { QaResultTable } from "../../qa-result-table.tsx";
import { useMarket } from "../../use-market.ts";
import { usePolicyVersion } from "../../use-policy-version.ts";
import { RegimeView, type Top50 } from "./regime-view.tsx";
import { Universe } from "./universe.tsx";

const POLL_MS = 30_000;

export function Top50Screen() {
  const { input, only } = useMarket();
  const top50 = useEndpoint(selectorsApi.top50, input, { pollMs: POLL_MS });
  const data = only(top50.data);
  const version = usePolicyVersion();
  const updated = data?.metadata.lastUpdated;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead
        title={`Top-50 Selector (Policy ${version})`}
        environment={<MarketSwitch of={top50.data} />}
        isStale={top50.isStale}
      >
        {updated != null && (
          <p className="text-xs text-muted">
            Last updated: <Time at={updated} />
          </p>
        )}
      </ConsoleHead>
      {top50.failure !== null ? (
        <FailureNote text="Failed to load Top-50 selector data" detail={top50.failure.message} onRetry={top50.retry} />
      ) : data === undefined ? (
        <FiguresLoading />
      ) : (
        <Selected top50={data} />
      )}
    </div>
  );
}

const TABS = ["universe", "regime", "qa"] as const;

function Selected({ top50 }: { top50: Top50 }) {
  const { values, change } = useUrlValues({ tab: "universe" });
  const { metadata, regime, sessionDate } = top50;
  const isScreened = sessionDate !== null;
  const shown = (count: number) => (isScreened ? countText(count) : "—");
  const regimeLabel = regime && REGIME_LABELS[regime.regime_label];
  return (
    <>
      <FigureCards
        label="The selection"
        figures={[
          { label: "Total Stocks", value: shown(metadata.totalStocks) },
          { label: "Sticky Seats", value: shown(metadata.stickySeats) },
          { label: "Fresh Seats", value: shown(metadata.freshSeats) },
          regimeLabel
            ? {
                label: "Market Regime",
                value: (
                  <span className={REGIME_INK[regimeLabel.tone]}>
                    <span aria-hidden className="mr-1.5 text-[0.7em]">
                      {regimeLabel.arrow}
                    </span>
                    {regimeLabel.direction}
                  </span>
                ),
                note: regimeLabel.label,
              }
            : { label: "Market Regime", value: "—", note: "not read yet" },
        ]}
      />
      <Tabs
        label="Top-50 selector"
        value={TABS.find((name) => name === values.tab) ?? "universe"}
        onChange={(tab) => change({ tab })}
        tabs={[
          {
            value: "universe",
            label: "Stock Universe",
            content: isScreened ? <Universe top50={top50} /> : <NoScreening of={top50} />,
          },
          { value: "regime", label: "Market Regime", content: <RegimeView regime={regime} /> },
          { value: "qa", label: "QA Results", content: isScreened ? <Qa top50={top50} /> : <NoScreening of={top50} /> },
        ]}
      />
    </>
  );
}

const REGIME_INK = { gain: "text-gain", warn: "text-warn", loss: "text-loss" } as const;

function Qa({ top50: { qaResults, sessionDate } }: { top50: Top50 }) {
  return (
    <div className="overflow-clip rounded-xl border border-line bg-surface">
      {qaResults.length === 0 ? (
        <Empty
          title="No QA results"
          hint={`The rules have not been run on the selection of ${dateText(sessionDate ?? "")} yet.`}
        />
      ) : (
        <QaResultTable caption="QA results" results={qaResults} />
      )}
    </div>
  );
}
