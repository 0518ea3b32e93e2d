"use client";
import { logsApi } from "@/lib/contracts/logs.ts";
import { AUDIT_EVENTS, AUDIT_TOPIC_TEXT, AUDIT_TOPICS, auditTopic } from "@/lib/domain/audit-events.ts";
import { countText } from "@/lib/domain/format.ts";
import { useCursorPages } from "../../../_hooks/use-cursor-pages.ts";
import { useSettled } from "../../../_hooks/use-settled.ts";
import { oneOf, useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Button } from "../../../_ui/button.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { SelectField, TextField } from "../../../_ui/field.tsx";
import { Pager } from "../../../_ui/pager.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { AuditTable } from "./audit-table.tsx";
import { ChainCard } from "./chain-card.tsx";

const ROWS = 50;
const NO_FILTER = { topic: "", eventType: "", actor: "", person: "", from: "", to: "", requestId: "" };
type Filter = typeof NO_FILTER;

const EVERYTHING = { value: "", label: "Everything" };
const TOPICS = [EVERYTHING, ...AUDIT_TOPICS.map((value) => ({ value, label: AUDIT_TOPIC_TEXT[value] }))];
const ACTORS = [
  { value: "", label: "Anyone" },
  { value: "user", label: "A person" },
  { value: "system", label: "Tradewind" },
  { value: "anonymous", label: "Not signed in" },
];
const EVENTS = Object.keys(AUDIT_EVENTS).sort();
const OPTIONS = { topic: oneOf(TOPICS), eventType: (text: string) => EVENTS.includes(text), actor: oneOf(ACTORS) };

/** "SIGN_IN_FAILED" → "Sign in failed" */
const eventName = (eventType: string) => {
  const spaced = eventType.toLowerCase().replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

/** The whole audit trail, filtered; whether its chain is intact, and its export. */
export function AuditScreen() {
  const { values, change, clear, isChanged } = useUrlValues(NO_FILTER, OPTIONS);
  const person = useSettled(values.person);
  const requestId = useSettled(values.requestId);
  // One letter matches nearly every user.
  const asked = { ...values, person: person.trim().length < 2 ? "" : person, requestId };
  const input = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")) as Partial<Filter>;
  const trail = useCursorPages(logsApi.auditAll, { limit: ROWS, ...input } as { limit: number });
  const rows = trail.data?.auditLogs ?? [];
  const from = trail.index * ROWS;
  const issueOf = (path: keyof Filter) => trail.failure?.issues.find((issue) => issue.path === path)?.message;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Audit" />
      <ChainCard />
      <Filters values={values} change={change} clear={clear} isChanged={isChanged} issueOf={issueOf} />
      {trail.failure !== null && trail.failure.issues.length === 0 && (
        <FailureNote text="Failed to load the audit trail" detail={trail.failure.message} onRetry={trail.retry} />
      )}
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {trail.isLoading && <SkeletonRows />}
        {!trail.isLoading && rows.length === 0 && (
          <Empty
            title={trail.data === undefined ? "The audit trail has not been loaded" : "No events found"}
            {...(isChanged ? { hint: "Try adjusting your filters to see more events." } : {})}
          />
        )}
        {rows.length > 0 && <AuditTable rows={rows} onRequest={(id) => change({ ...NO_FILTER, requestId: id })} />}
      </div>
      {rows.length > 0 && (
        <Pager
          text={`Events ${countText(from + 1)} to ${countText(from + rows.length)} of ${countText(trail.data?.summary.totalEvents ?? 0)}`}
          hasPrevious={trail.index > 0}
          hasNext={trail.hasNext}
          isBusy={trail.isRefreshing && trail.isLoading}
          onPrevious={trail.previous}
          onNext={trail.next}
        />
      )}
    </div>
  );
}

interface FiltersProps {
  values: Filter;
  change: (next: Partial<Filter>) => void;
  clear: () => void;
  isChanged: boolean;
  issueOf: (path: keyof Filter) => string | undefined;
}

function Filters({ values, change, clear, isChanged, issueOf }: FiltersProps) {
  const events = EVENTS.filter((name) => values.topic === "" || auditTopic(name) === values.topic);
  const text = (name: keyof Filter) => ({
    value: values[name],
    error: issueOf(name),
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  return (
    <div role="search" aria-label="Filters" className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
      <SelectField
        label="Topic"
        options={TOPICS}
        value={values.topic}
        onChange={(event) => change({ topic: event.target.value, eventType: "" })}
      />
      <SelectField
        label="Event"
        options={[EVERYTHING, ...events.map((value) => ({ value, label: eventName(value) }))]}
        {...text("eventType")}
      />
      <SelectField label="Done by" options={ACTORS} {...text("actor")} />
      <TextField label="Person" type="search" placeholder="Part of the email address" data-search {...text("person")} />
      <TextField label="From (ET)" type="date" {...text("from")} />
      <TextField label="To (ET)" type="date" {...text("to")} />
      <TextField label="Request id" type="search" {...text("requestId")} />
      {isChanged && (
        <Button tone="secondary" onClick={clear} className="sm:mt-6.5">
          Clear filters
        </Button>
      )}
    </div>
  );
}
