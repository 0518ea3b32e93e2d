"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { NOTIFICATION_KINDS, type NotificationKindName } from "@/lib/domain/enums.ts";
import { easternDayText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { NotificationRow } from "../../_ui/notification-row.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { Pager } from "../../_ui/pager.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";

const POLL_MS = 30_000;

type Notification = Answer<typeof notificationsApi.list>["notifications"][number];

const KIND_LABELS: Record<NotificationKindName, string> = {
  ORDER: "Orders",
  TRADE: "Trades",
  SYSTEM: "System",
  SECURITY: "Security",
  WEEKLY: "Weekly",
};
const OPTIONS = [
  { value: "", label: "All" },
  ...NOTIFICATION_KINDS.map((value) => ({ value, label: KIND_LABELS[value] })),
];

/** Everything that was told, by day, the latest first. */
export function NotificationsScreen() {
  const { values, change } = useUrlValues({ kind: "" });
  const kind = NOTIFICATION_KINDS.find((each) => each === values.kind);
  const ofKind = kind === undefined ? {} : { kind };
  const page = useCursorPages(
    notificationsApi.list,
    { ...ofKind, limit: PAGE_ROWS.notifications },
    { pollMs: POLL_MS },
  );
  const reading = useAction(notificationsApi.read, { refreshes: [notificationsApi.list] });
  const notifications = page.data?.notifications ?? [];
  const from = page.index * PAGE_ROWS.notifications;
  const until = useNewestShown(values.kind, page.index === 0 && !page.isOld ? notifications[0] : undefined);

  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Notifications" asOf={null} isStale={page.isStale}>
        {(page.data?.unreadCount ?? 0) > 0 && (
          <Button
            tone="secondary"
            onClick={() => until !== undefined && reading.run({ all: true, until, ...ofKind })}
            disabled={reading.isBusy || until === undefined}
          >
            Mark all read
          </Button>
        )}
        <ButtonLink tone="quiet" href="/settings?tab=notifications">
          Notification settings
        </ButtonLink>
      </PageHead>
      <div className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
        <Segmented label="Kind" options={OPTIONS} value={kind ?? ""} onChange={(value) => change({ kind: value })} />
      </div>
      {(page.failure ?? reading.failure) !== null && (
        <FailureNote
          text={page.failure === null ? "Failed to mark as read" : "Failed to load notifications"}
          detail={(page.failure ?? reading.failure)?.message}
          onRetry={page.failure === null ? reading.retry : page.retry}
        />
      )}
      {page.isLoading && <SkeletonCard className="h-96" />}
      {page.data !== undefined && notifications.length === 0 && <Nothing isFiltered={kind !== undefined} />}
      <GreyWhileOld isOld={page.isOld} className="flex flex-col gap-4">
        {byDay(notifications).map(({ key, day, rows }) => (
          <Card key={key} title={day} className="overflow-hidden">
            <ul className="-mx-4 divide-y divide-line text-sm sm:-mx-5">
              {rows.map((each) => (
                <NotificationRow
                  key={each.id}
                  notification={each}
                  onRead={() => !each.isRead && reading.run({ ids: [each.id] })}
                />
              ))}
            </ul>
          </Card>
        ))}
      </GreyWhileOld>
      {notifications.length > 0 && (
        <Pager
          text={`${from + 1}–${from + notifications.length}`}
          hasPrevious={page.index > 0}
          hasNext={page.hasNext}
          isBusy={page.isOld}
          onPrevious={page.previous}
          onNext={page.next}
        />
      )}
    </div>
  );
}

/** When the newest of a kind came that the first page showed, on later pages as well: what came since stays unread. */
function useNewestShown(kind: string, first: Notification | undefined): string | undefined {
  const [shown, setShown] = useState<{ kind: string; at: string }>();
  if (first !== undefined && (shown?.kind !== kind || shown.at !== first.at)) setShown({ kind, at: first.at });
  return shown?.kind === kind ? shown.at : undefined;
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Card>
      {isFiltered ? (
        <Empty title="Nothing of this kind" hint="Choose another kind, or all of them." />
      ) : (
        <Empty title="Nothing yet" hint="Orders, trades and alerts of your accounts appear here." />
      )}
    </Card>
  );
}

interface Day {
  key: string;
  day: string;
  rows: Notification[];
}

/**
 * In their order, by the day of what happened: of market time where it has one. Where the market's days and those of the wall
 * alternate, a day comes more than once.
 */
function byDay(notifications: readonly Notification[]): Day[] {
  const days: Day[] = [];
  for (const each of notifications) {
    const day = easternDayText(each.marketAt ?? each.at);
    if (days.at(-1)?.day === day) days.at(-1)!.rows.push(each);
    else days.push({ key: `${day} ${days.filter((other) => other.day === day).length}`, day, rows: [each] });
  }
  return days;
}
