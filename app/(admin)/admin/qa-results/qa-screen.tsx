"use client";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText, dateText, ratioText } from "@/lib/domain/format.ts";
import { passRate, passRateTone, QA_FILTERS, QA_ORDERS } from "@/lib/domain/selector-labels.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Card } from "../../../_ui/card.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { SelectField } from "../../../_ui/field.tsx";
import { Tabs } from "../../../_ui/tabs.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { FigureCards, FiguresLoading } from "../../figure-cards.tsx";
import { MarketSwitch } from "../../market-switch.tsx";
import { NoScreening } from "../../no-screening.tsx";
import { QaResultTable } from "../../qa-result-table.tsx";
import { useMarket } from "../../use-market.ts";
import { QaBanner } from "./qa-banner.tsx";
import { QaHistory } from "./qa-history.tsx";
import { QaMetrics } from "./qa-metrics.tsx";
import { styled } from "../../../_ui/styled.ts";

const POLL_MS = 30_000;

type Qa = Answer<typeof selectorsApi.qaResults>;

export function QaScreen() {
  const { input, only } = useMarket();
  const qa = useEndpoint(selectorsApi.qaResults, input, { pollMs: POLL_MS });
  const data = only(qa.data);
  const updated = data?.metadata.lastUpdated;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="QA Results" environment={<MarketSwitch of={qa.data} />} isStale={qa.isStale}>
        {updated != null && (
          <p className="text-xs text-muted">
            Last updated: <Time at={updated} />
          </p>
        )}
      </ConsoleHead>
      {qa.failure !== null ? (
        <FailureNote text="Failed to load QA results data" detail={qa.failure.message} onRetry={qa.retry} />
      ) : data === undefined ? (
        <FiguresLoading />
      ) : (
        <>
          <QaBanner isLive={data.flags.qaLiveGate} />
          <Judged qa={data} />
        </>
      )}
    </div>
  );
}

const TABS = ["results", "metrics", "history"] as const;

function Judged({ qa }: { qa: Qa }) {
  const { values, change } = useUrlValues({ tab: "results" });
  const { totalRules, passedRules, failedRules, criticalFailures } = qa.metadata;
  const isScreened = qa.sessionDate !== null;
  const shown = (count: number) => (isScreened ? countText(count) : "—");
  const none = <NoScreening of={qa} />;
  return (
    <>
      <FigureCards
        label="The rules"
        figures={[
          { label: "Total Rules", value: shown(totalRules) },
          { label: "Passed", value: <span className="text-gain">{shown(passedRules)}</span> },
          { label: "Failed", value: <span className={inkOf(failedRules)}>{shown(failedRules)}</span> },
          {
            label: "Critical Issues",
            value: <span className={inkOf(criticalFailures)}>{shown(criticalFailures)}</span>,
          },
        ]}
      />
      <PassRate passed={passedRules} total={isScreened ? totalRules : 0} />
      <Tabs
        label="QA results"
        value={TABS.find((name) => name === values.tab) ?? "results"}
        onChange={(tab) => change({ tab })}
        tabs={[
          { value: "results", label: "Current Results", content: isScreened ? <CurrentResults qa={qa} /> : none },
          { value: "metrics", label: "Metrics", content: isScreened ? <QaMetrics metrics={qa.metrics} /> : none },
          { value: "history", label: "History", content: <QaHistory isOn={qa.flags.qaHistory} /> },
        ]}
      />
    </>
  );
}

const inkOf = (failures: number) => (failures > 0 ? "text-loss" : "");

const FILLS = { gain: "bg-gain", warn: "bg-warn", loss: "bg-loss" } as const;
const INKS = { gain: "text-gain", warn: "text-warn", loss: "text-loss" } as const;

function PassRate({ passed, total }: { passed: number; total: number }) {
  const percent = passRate(passed, total);
  const tone = percent === null ? null : passRateTone(percent);
  return (
    <Card
      title="Overall Pass Rate"
      aside={
        <span className={`font-semibold tabular-nums ${tone === null ? "text-muted" : INKS[tone]}`}>
          {percent === null ? "—" : `${ratioText(percent, 1)}%`}
        </span>
      }
    >
      <div
        role="progressbar"
        aria-label="Overall pass rate"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent ?? 0)}
        className="h-2.5 overflow-hidden rounded-full bg-sunken forced-color-adjust-none ring-1 ring-line"
      >
        {tone !== null && (
          <div className={`h-full rounded-full ${FILLS[tone]}`} ref={styled({ width: `${percent}%` })} />
        )}
      </div>
    </Card>
  );
}

const FILTERS = [
  { value: "all", label: "All" },
  { value: "passed", label: "Passed" },
  { value: "failed", label: "Failed" },
  { value: "critical", label: "Critical and failed" },
] as const;
const SORTS = [
  { value: "severity", label: "Severity" },
  { value: "timestamp", label: "Newest first" },
  { value: "rule", label: "Rule" },
] as const;

function CurrentResults({ qa: { results, sessionDate } }: { qa: Qa }) {
  const { values, change } = useUrlValues({ show: "all", sort: "severity" });
  const show = FILTERS.find(({ value }) => value === values.show)?.value ?? "all";
  const sort = SORTS.find(({ value }) => value === values.sort)?.value ?? "severity";
  const shown = results.filter(QA_FILTERS[show]).toSorted(QA_ORDERS[sort]);
  return (
    <section aria-label="Current results" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-sm text-muted">
          {`${shown.length} of ${results.length} rules, on the selection of ${dateText(sessionDate ?? "")}`}
        </p>
        <div className="flex items-end gap-3">
          <SelectField
            label="Show"
            options={FILTERS}
            value={show}
            onChange={(event) => change({ show: event.target.value })}
          />
          <SelectField
            label="Sort by"
            options={SORTS}
            value={sort}
            onChange={(event) => change({ sort: event.target.value })}
          />
        </div>
      </div>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {shown.length > 0 ? (
          <QaResultTable caption="Rules" results={shown} hasTime />
        ) : results.length === 0 ? (
          <Empty title="No QA results" hint="The rules have not been run on this selection yet." />
        ) : (
          <Empty title="No results found" hint="Try another filter." />
        )}
      </div>
    </section>
  );
}
