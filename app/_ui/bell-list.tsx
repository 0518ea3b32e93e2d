"use client";
import Link from "next/link";
import { Dialog, Popover } from "radix-ui";
import { useState, type RefObject } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { useAction } from "../_hooks/use-action.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { useIsPhone } from "../_hooks/use-is-phone.ts";
import { EnvironmentBadge } from "./badge.tsx";
import { TextButton } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { FailureNote } from "./failure-note.tsx";
import { AmountsText } from "./money.tsx";
import { Overlay } from "./overlay.tsx";
import { Skeleton } from "./skeleton.tsx";
import { Time } from "./time.tsx";

type Notification = Answer<typeof notificationsApi.list>["notifications"][number];

/** The default page first, then as far back as one screen should go. */
const LATER_LIMIT = 100;

interface BellListProps {
  anchor: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** A popover below the bell; a sheet on a phone. */
export function BellList({ anchor, onClose }: BellListProps) {
  const isPhone = useIsPhone();
  if (isPhone) {
    return (
      <Overlay
        onClose={onClose}
        className="inset-x-0 bottom-0 flex max-h-[80dvh] flex-col rounded-t-2xl border pb-[env(safe-area-inset-bottom)] text-sm"
      >
        <Dialog.Title className="sr-only">Notifications</Dialog.Title>
        <List onClose={onClose} />
      </Overlay>
    );
  }
  return (
    <Popover.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          aria-label="Notifications"
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            anchor.current?.focus();
          }}
          // The bell closes by itself; closing here too would open it again.
          onInteractOutside={(event) =>
            anchor.current?.contains(event.target as Node) === true && event.preventDefault()
          }
          className="z-40 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] w-96 flex-col rounded-xl border border-line bg-surface text-sm shadow-lg outline-none"
        >
          <List onClose={onClose} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function List({ onClose }: { onClose: () => void }) {
  const [limit, setLimit] = useState<number | undefined>(undefined);
  const news = useEndpoint(notificationsApi.list, limit === undefined ? {} : { limit });
  const reading = useAction(notificationsApi.read, { refreshes: [notificationsApi.list] });
  const unread = news.data?.unreadCount ?? 0;
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4">
        <h2 className="font-semibold">Notifications</h2>
        {unread > 0 && (
          <TextButton onClick={() => reading.run({ all: true })} disabled={reading.isBusy}>
            Mark all read
          </TextButton>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {(news.failure ?? reading.failure) !== null && (
          <div className="p-3">
            <FailureNote
              text={news.failure === null ? "Failed to mark as read" : "Failed to load notifications"}
              detail={(news.failure ?? reading.failure)?.message}
              onRetry={news.retry}
            />
          </div>
        )}
        {news.isLoading && <Skeleton className="m-4 h-32" />}
        {news.data?.notifications.length === 0 && (
          <Empty title="Nothing new" hint="Orders, trades and alerts of your accounts appear here." />
        )}
        <ul className="divide-y divide-line">
          {news.data?.notifications.map((each) => (
            <Row
              key={each.id}
              notification={each}
              onRead={() => !each.isRead && reading.run({ ids: [each.id] })}
              onClose={onClose}
            />
          ))}
        </ul>
        {limit === undefined && news.data?.pagination.nextCursor != null && (
          <div className="p-3 text-center">
            <TextButton onClick={() => setLimit(LATER_LIMIT)}>Show older</TextButton>
          </div>
        )}
      </div>
      <div className="border-t border-line px-4 py-2.5 text-xs">
        <Link
          href="/settings?tab=notifications"
          onClick={onClose}
          className="inline-flex min-h-6 items-center rounded-sm text-muted underline-offset-4 hover:text-ink hover:underline"
        >
          Which mails you get
        </Link>
      </div>
    </>
  );
}

interface RowProps {
  notification: Notification;
  onRead: () => void;
  onClose: () => void;
}

const ROW = "block w-full px-4 py-3 text-left hover:bg-sunken focus-visible:-outline-offset-2";

/** Opening one reads it; one without a page is read by a click. */
function Row({ notification, onRead, onClose }: RowProps) {
  const { link, title, text, isRead, environment, at, marketAt } = notification;
  const content = (
    <span className="flex gap-3">
      <span
        aria-hidden
        className={`mt-1.5 size-2 shrink-0 rounded-full ${isRead ? "border border-line-strong" : "bg-accent"}`}
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className={isRead ? "" : "font-semibold"}>
            <AmountsText text={title} />
          </span>
          {!isRead && <span className="sr-only">(unread)</span>}
          {environment !== null && <EnvironmentBadge environment={environment} />}
        </span>
        <span className="mt-0.5 block break-words text-muted">
          <AmountsText text={text} />
        </span>
        <span className="mt-1 block text-xs text-muted">
          <Time at={marketAt ?? at} />
        </span>
      </span>
    </span>
  );
  return (
    <li>
      {link === null ? (
        <button type="button" onClick={onRead} className={ROW}>
          {content}
        </button>
      ) : (
        <Link
          href={link}
          onClick={() => {
            onRead();
            onClose();
          }}
          className={ROW}
        >
          {content}
        </Link>
      )}
    </li>
  );
}
