"use client";
import { Download, RefreshCw } from "lucide-react";
import { useEffect } from "react";
import type { CallError } from "@/lib/client/api.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { AUDIT_TOPICS } from "@/lib/domain/audit-events.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useDownload } from "../../_hooks/use-download.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { Tabs } from "../../_ui/tabs.tsx";
import { AuditLog } from "./audit-log.tsx";
import { DayCounters } from "./day-counters.tsx";
import { SystemLog } from "./system-log.tsx";

const POLL_MS = 5_000;
const AUDIT_ROWS = 50;

interface Shown {
  environment: Sent<typeof logsApi.dailyReview>;
  tab: "system" | "audit";
  topic: (typeof AUDIT_TOPICS)[number] | undefined;
  isAdmin: boolean;
}

function useReadings({ environment, tab, topic, isAdmin }: Shown) {
  const review = useEndpoint(logsApi.dailyReview, environment, { pollMs: POLL_MS });
  const tail = useEndpoint(
    logsApi.tail,
    { limit: PAGE_ROWS.logLines },
    { pollMs: POLL_MS, isEnabled: tab === "system" },
  );
  const trail = useCursorPages(
    isAdmin ? logsApi.auditAll : logsApi.audit,
    { limit: AUDIT_ROWS, ...(topic ? { topic } : {}) },
    { pollMs: POLL_MS, isEnabled: tab === "audit" },
  );
  useLogged("the log", tail.failure);
  useLogged("the audit trail", trail.failure);
  useLogged("the counters of the day", review.failure);
  return { review, tail, trail };
}

export function LogsScreen() {
  const isAdmin = useSession().user?.role === "ADMIN";
  const { values, change } = useUrlValues({ tab: "system", level: "", q: "", topic: "" });
  const tab = values.tab === "audit" ? "audit" : "system";
  const topic = AUDIT_TOPICS.find((each) => each === values.topic);
  const { input: environment } = useEnvironment();
  const { review, tail, trail } = useReadings({ environment, tab, topic, isAdmin });
  const shown = tab === "audit" ? trail : tail;
  const reports = useDownload(logsApi.export);

  function refresh() {
    shown.retry();
    review.retry();
  }

  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Activity & Logs" environment={<EnvironmentSwitch of={review.data} />}>
        <Button tone="secondary" onClick={() => reports.run(environment)} disabled={reports.isBusy}>
          <Download aria-hidden className="size-4" />
          {reports.isBusy ? "Preparing reports.zip..." : "Export reports"}
        </Button>
        <Button tone="secondary" onClick={refresh} disabled={shown.isRefreshing && shown.isLoading}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh Now
        </Button>
      </PageHead>
      {reports.failure !== null && (
        <FailureNote
          text="The reports could not be exported."
          detail={reports.failure.message}
          onRetry={() => reports.run(environment)}
        />
      )}
      <DayCounters review={review} isAdmin={isAdmin} />
      <Tabs
        label="Activity and logs"
        value={tab}
        onChange={(next) => change({ tab: next })}
        tabs={[
          {
            value: "system",
            label: "System Logs",
            content: (
              <SystemLog
                tail={tail}
                isAdmin={isAdmin}
                level={values.level}
                search={values.q}
                onFilter={(next) => change(next)}
              />
            ),
          },
          {
            value: "audit",
            label: isAdmin ? "All Audit Logs" : "My Activity",
            content: (
              <AuditLog
                trail={trail}
                rowsPerPage={AUDIT_ROWS}
                isAdmin={isAdmin}
                topic={topic ?? ""}
                onTopic={(next) => change({ topic: next })}
              />
            ),
          },
        ]}
      />
    </div>
  );
}

/** That something could not be loaded is only logged; what is shown says itself that it is old. */
function useLogged(what: string, failure: CallError | null) {
  useEffect(() => {
    if (failure !== null) console.error(`loading ${what}`, failure);
  }, [what, failure]);
}
