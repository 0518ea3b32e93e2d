"use client";
import { ArrowDown } from "lucide-react";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { logsApi } from "@/lib/contracts/logs.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { Button, TextButton } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Freshness, type Reading } from "./freshness.tsx";
import { LogLines, type LogLine } from "./log-lines.tsx";
import { useHeld } from "./use-held.ts";
import { useSelectionIn } from "./use-selection-in.ts";

const LEVELS = [
  { value: "", label: "All" },
  { value: "info", label: "Info" },
  { value: "warn", label: "Warnings" },
  { value: "error", label: "Errors" },
] as const;

type Level = (typeof LEVELS)[number]["value"];

/** This close to the end counts as the end: fractions of pixels, a line of slack. */
const END_PX = 24;

interface SystemLogProps {
  tail: Reading & { data: Answer<typeof logsApi.tail> | undefined; isLoading: boolean };
  isAdmin: boolean;
  level: string;
  search: string;
  onFilter: (next: { level?: string; q?: string }) => void;
}

const textOf = ({ message, account, user }: LogLine) =>
  [message, account?.name, account?.environmentLabel, user && `${user.firstName} ${user.lastName} ${user.email}`]
    .filter(Boolean)
    .join(" ")
    .toLowerCase();

/** Of one account alone it need not be said on every line which one it is. */
const isOfSeveral = (lines: readonly LogLine[]) => new Set(lines.flatMap(({ accountId }) => accountId ?? [])).size > 1;

const isWanted = (line: LogLine, level: Level, query: string) =>
  (level === "" || line.level === level) && (query === "" || textOf(line).includes(query));

/**
 * The tail of the log, newest last. It follows what comes in only at its end and while nothing in it is selected: else
 * what one reads stays where it is, and new lines are counted.
 */
export function SystemLog({ tail, isAdmin, level: wanted, search, onFilter }: SystemLogProps) {
  const level: Level = LEVELS.find(({ value }) => value === wanted)?.value ?? "";
  const scroller = useRef<HTMLDivElement>(null);
  const [isScrolledUp, setScrolledUp] = useState(false);
  const isReading = useSelectionIn(scroller) || isScrolledUp;
  const latest = tail.data?.logs ?? [];
  const lines = useHeld("tail", latest, isReading);
  const query = search.trim().toLowerCase();
  const shown = useMemo(() => lines.filter((line) => isWanted(line, level, query)), [lines, level, query]);
  const lastId = lines.at(-1)?.id;
  const waiting = latest.filter((line) => BigInt(line.id) > BigInt(lastId ?? 0) && isWanted(line, level, query)).length;

  useLayoutEffect(() => {
    if (!isReading && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [isReading, lastId, level, query]);

  function noteScrolling() {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current ?? new HTMLDivElement();
    setScrolledUp(scrollHeight - scrollTop - clientHeight > END_PX);
  }

  function follow() {
    document.getSelection()?.removeAllRanges();
    setScrolledUp(false);
  }

  return (
    <div className="flex flex-col gap-3">
      <LogFilters tail={tail} level={level} search={search} onFilter={onFilter} />
      <div className="relative overflow-clip rounded-xl border border-line bg-surface">
        {tail.isLoading && <SkeletonRows />}
        {!tail.isLoading && latest.length === 0 && <NoLines isLoaded={tail.data !== undefined} isAdmin={isAdmin} />}
        {latest.length > 0 && (
          <div
            ref={scroller}
            role="log"
            aria-live="off"
            aria-label="System log, newest last"
            tabIndex={0}
            onScroll={noteScrolling}
            className="h-[60dvh] overflow-y-auto sm:h-[max(16rem,calc(100dvh-34rem))]"
          >
            {shown.length === 0 ? (
              <Empty title="No lines found" hint="None of the last lines matches the level and the search.">
                <TextButton onClick={() => onFilter({ level: "", q: "" })}>Show all lines</TextButton>
              </Empty>
            ) : (
              <LogLines lines={shown} query={query} hasAccounts={isAdmin || isOfSeveral(lines)} />
            )}
          </div>
        )}
        {isReading && waiting > 0 && (
          <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
            <Button onClick={follow} className="pointer-events-auto shadow-lg">
              {`${countText(waiting)} new`}
              <ArrowDown aria-hidden className="size-4" />
            </Button>
          </div>
        )}
      </div>
      {latest.length > 0 && (
        <p className="text-xs text-muted" aria-live="polite">
          {shown.length === lines.length
            ? `The last ${countText(lines.length)} lines, newest last.`
            : `${countText(shown.length)} of the last ${countText(lines.length)} lines, newest last.`}
        </p>
      )}
    </div>
  );
}

interface LogFiltersProps extends Pick<SystemLogProps, "tail" | "search" | "onFilter"> {
  level: Level;
}

function LogFilters({ tail, level, search, onFilter }: LogFiltersProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <div className="w-full sm:w-72">
        <TextField
          label="Search"
          type="search"
          placeholder="e.g. AAPL"
          data-search
          value={search}
          onChange={(event) => onFilter({ q: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Freshness reading={tail} />
        <Segmented label="Level" options={LEVELS} value={level} onChange={(next) => onFilter({ level: next })} />
      </div>
    </div>
  );
}

function NoLines({ isLoaded, isAdmin }: { isLoaded: boolean; isAdmin: boolean }) {
  if (!isLoaded) return <Empty title="The log has not been loaded" />;
  return (
    <Empty
      title="Nothing has happened yet"
      hint="Every look at the market, every order and every warning of the automation is listed here."
    >
      {!isAdmin && (
        <ButtonLink tone="secondary" href="/alpaca-keys">
          Connect an account
        </ButtonLink>
      )}
    </Empty>
  );
}
