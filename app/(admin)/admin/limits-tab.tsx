"use client";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { countText, quantityText } from "@/lib/domain/format.ts";
import { intensityOf, isLooser, type Intensity } from "@/lib/domain/rate-limits.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { Time } from "../../_ui/time.tsx";
import { LimitForm } from "./limit-form.tsx";

type Page = Answer<typeof rateLimitsApi.list>;
export type Limit = Page["configs"][number];
type Stats = Page["stats"][string];

/** Counters are updated on their own. */
const POLL_MS = 5_000;
const TONES: Record<Intensity, "loss" | "warn" | "accent" | "neutral"> = {
  "Very High": "loss",
  High: "warn",
  Medium: "accent",
  Low: "neutral",
};

export function LimitsTab() {
  const limits = useEndpoint(rateLimitsApi.list, {}, { pollMs: POLL_MS });
  const [form, setForm] = useState<{ of: Limit | null } | null>(null);
  return (
    <div className="flex flex-col gap-4">
      {limits.failure !== null && (
        <FailureNote
          {...failureText(limits.failure, "Failed to load rate limit configurations")}
          onRetry={limits.retry}
        />
      )}
      <Card
        title="Rate limits"
        aside={
          <span className="flex items-center gap-2">
            {limits.isStale && <Badge tone="warn">stale</Badge>}
            <Button tone="secondary" onClick={() => setForm({ of: null })}>
              <Plus aria-hidden className="size-4" />
              Create limit
            </Button>
          </span>
        }
      >
        {limits.isLoading && <SkeletonRows />}
        {limits.data?.configs.length === 0 && (
          <Empty title="No rate limits configured" hint="The built-in values apply to every route group." />
        )}
        <ul className="divide-y divide-line">
          {(limits.data?.configs ?? []).map((limit) => (
            <LimitRow
              key={limit.id}
              limit={limit}
              stats={limits.data?.stats[limit.id]}
              onEdit={() => setForm({ of: limit })}
            />
          ))}
        </ul>
      </Card>
      {form !== null && <LimitForm limit={form.of} onClose={() => setForm(null)} />}
    </div>
  );
}

export const windowText = (windowMs: number) => {
  const minutes = windowMs / 60_000;
  // As exact as it is in force.
  return minutes === 1 ? "1 minute" : `${quantityText(minutes)} minutes`;
};

function LimitRow({ limit, stats, onEdit }: { limit: Limit; stats: Stats | undefined; onEdit: () => void }) {
  const toggle = useAction(rateLimitsApi.save, { refreshes: [rateLimitsApi.list] });
  const [isRemoving, setRemoving] = useState(false);
  const intensity = intensityOf(limit);
  return (
    <li className="flex flex-col gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={limit.enabled ? "gain" : "neutral"}>{limit.enabled ? "Active" : "Inactive"}</Badge>
        <Badge tone={TONES[intensity]}>{intensity}</Badge>
        <span className="text-xs text-muted">
          {limit.boundTo === null ? "not bound to a route group" : `route group ${limit.boundTo}`}
        </span>
        <span className="ml-auto flex gap-1">
          <Button tone="quiet" aria-label={`Edit ${limit.name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button tone="quiet" aria-label={`Delete ${limit.name}`} onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden className="size-4" />
            Delete
          </Button>
        </span>
      </div>
      <SwitchField
        label={limit.name}
        {...(limit.description === "" ? {} : { hint: limit.description })}
        isOn={limit.enabled}
        isDisabled={toggle.isBusy}
        onChange={(enabled) => toggle.run({ id: limit.id, enabled })}
      />
      <p>{`${countText(limit.maxRequests)} requests in ${windowText(limit.windowMs)}${skipped(limit)}`}</p>
      {limit.boundTo !== null && differs(limit) && <p className="text-warn">{inForceText(limit)}</p>}
      {stats !== undefined && limit.boundTo !== null && <LimitStats stats={stats} />}
      {toggle.failure !== null && (
        <FailureNote
          {...failureText(toggle.failure, "Failed to update rate limit configuration")}
          onRetry={toggle.retry}
        />
      )}
      {isRemoving && <RemoveDialog limit={limit} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function skipped({ skipSuccessfulRequests, skipFailedRequests }: Limit): string {
  if (skipSuccessfulRequests && skipFailedRequests) return ", nothing is counted";
  if (skipSuccessfulRequests) return ", only failed ones are counted";
  return skipFailedRequests ? ", failed ones are not counted" : "";
}

/** What holds is not what is configured where that lets too many guess, or would keep administrators from undoing it. */
const differs = ({ inForce, enabled, windowMs, maxRequests }: Limit) =>
  enabled
    ? inForce !== null && (inForce.windowMs !== windowMs || inForce.maxRequests !== maxRequests)
    : inForce !== null;

function inForceText(limit: Limit): string {
  const { inForce } = limit;
  if (inForce === null) return "";
  const why =
    limit.enabled && isLooser(inForce, limit)
      ? "A stricter limit would lock people out."
      : "This limit cannot be switched off completely.";
  return `In force: ${countText(inForce.maxRequests)} requests in ${windowText(inForce.windowMs)}. ${why}`;
}

function LimitStats({ stats }: { stats: Stats }) {
  return (
    <div>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Total requests">{countText(stats.totalRequests)}</Stat>
        <Stat label="Blocked">{countText(stats.blockedRequests)}</Stat>
        <Stat label="Average response time">
          {stats.averageResponseTime === null ? "—" : `${stats.averageResponseTime.toFixed(1)} ms`}
        </Stat>
      </dl>
      <p className="mt-2 text-xs text-muted">
        counted since <Time at={stats.lastReset} />
      </p>
    </div>
  );
}

function RemoveDialog({ limit, onClose }: { limit: Limit; onClose: () => void }) {
  const remove = useAction(rateLimitsApi.remove, { refreshes: [rateLimitsApi.list] });
  const run = () => remove.run({ id: limit.id }, { onSuccess: onClose });
  const what =
    limit.boundTo === null ? "It has no effect." : "The route group is limited by the built-in values from then on.";
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete the limit ${limit.name}?`}
      description={`${what} This action cannot be undone.`}
      action={remove.isBusy ? "Deleting..." : "Delete"}
      isBusy={remove.isBusy}
      onConfirm={run}
    >
      {remove.failure !== null && (
        <FailureNote {...failureText(remove.failure, "Failed to delete rate limit configuration")} onRetry={run} />
      )}
    </ConfirmDialog>
  );
}
