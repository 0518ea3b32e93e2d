"use client";
import Link from "next/link";
import { memo } from "react";
import type { logsApi } from "@/lib/contracts/logs.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { easternDayText } from "@/lib/domain/format.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Time } from "../../_ui/time.tsx";
import { Highlighted } from "./highlighted.tsx";

export type LogLine = Answer<typeof logsApi.tail>["logs"][number];

const LEVELS = {
  debug: { label: "Debug", tone: "neutral" },
  info: { label: "Info", tone: "neutral" },
  warn: { label: "Warning", tone: "warn" },
  error: { label: "Error", tone: "loss" },
} as const;

interface LogLinesProps {
  lines: readonly LogLine[];
  /** What is searched for, in lower case. */
  query: string;
  /** Whether lines say which account they are of. */
  hasAccounts: boolean;
}

/** Lines of the log under the days on which they were written. There are hundreds of them: only changed lines render again. */
export const LogLines = memo(function LogLines({ lines, query, hasAccounts }: LogLinesProps) {
  return (
    <ol>
      {lines.map((line, index) => {
        const day = easternDayText(line.timestamp);
        const before = lines[index - 1];
        const isNewDay = before === undefined || easternDayText(before.timestamp) !== day;
        return (
          <li key={line.id} className="border-b border-line last:border-0">
            {isNewDay && (
              <p className="border-b border-line bg-sunken px-4 py-1.5 text-xs font-medium text-muted sm:px-5">{day}</p>
            )}
            <Line line={line} query={query} hasAccounts={hasAccounts} />
          </li>
        );
      })}
    </ol>
  );
});

const link = "tap rounded-sm font-medium text-accent underline-offset-4 hover:underline";

type LineProps = { line: LogLine } & Pick<LogLinesProps, "query" | "hasAccounts">;

const Line = memo(function Line({ line, query, hasAccounts }: LineProps) {
  const { label, tone } = LEVELS[line.level];
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2 sm:flex-nowrap sm:px-5">
      <span className="w-24 shrink-0 text-muted">
        <Time at={line.timestamp} isClock />
      </span>
      <span className="w-20 shrink-0">
        <Badge tone={tone}>{label}</Badge>
      </span>
      <div className="flex min-w-0 basis-full flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5 xl:flex-nowrap">
        <p className="min-w-0 wrap-anywhere whitespace-pre-wrap">
          <Highlighted text={line.message} query={query} />
        </p>
        <Details line={line} query={query} hasAccounts={hasAccounts} />
      </div>
    </div>
  );
});

/** Practice markets have a time of their own. */
const isOtherTime = (line: LogLine) =>
  line.marketAt !== null && Math.abs(Date.parse(line.marketAt) - Date.parse(line.timestamp)) > 5 * MINUTE_MS;

function Details({ line, query, hasAccounts }: LineProps) {
  const account = hasAccounts ? line.account : null;
  const { user, marketAt, decisionId } = line;
  if (account === null && user === null && !isOtherTime(line) && decisionId === null) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted xl:max-w-1/2 xl:shrink-0 xl:justify-end">
      {account !== null && (
        <span className="flex min-w-0 items-center gap-1.5">
          <EnvironmentBadge environment={account.environmentLabel} />
          <span className="wrap-anywhere">
            <Highlighted text={account.name} query={query} />
          </span>
        </span>
      )}
      {user !== null && (
        <span className="wrap-anywhere">
          <Highlighted text={`${user.firstName} ${user.lastName} (${user.email})`} query={query} />
        </span>
      )}
      {marketAt !== null && isOtherTime(line) && (
        <span>
          market <Time at={marketAt} />
        </span>
      )}
      {decisionId !== null && (
        <Link href={`/decisions/${decisionId}`} className={link}>
          Why
        </Link>
      )}
    </p>
  );
}
