"use client";
import Link from "next/link";
import { Dialog, Popover } from "radix-ui";
import type { RefObject } from "react";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { useAction } from "../_hooks/use-action.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { useIsPhone } from "../_hooks/use-is-phone.ts";
import { TextButton } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { FailureNote } from "./failure-note.tsx";
import { NotificationRow } from "./notification-row.tsx";
import { Overlay } from "./overlay.tsx";
import { Skeleton } from "./skeleton.tsx";

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
  const news = useEndpoint(notificationsApi.list, {});
  const reading = useAction(notificationsApi.read, { refreshes: [notificationsApi.list] });
  const unread = news.data?.unreadCount ?? 0;
  const newest = news.data?.notifications[0];
  return (
    <>
      <div className="flex min-h-12 items-center justify-between gap-3 border-b border-line px-4">
        <h2 className="font-semibold">Notifications</h2>
        {unread > 0 && newest && (
          <TextButton onClick={() => reading.run({ all: true, until: newest.at })} disabled={reading.isBusy}>
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
              onRetry={news.failure === null ? reading.retry : news.retry}
            />
          </div>
        )}
        {news.isLoading && <Skeleton className="m-4 h-32" />}
        {news.data?.notifications.length === 0 && (
          <Empty title="Nothing new" hint="Orders, trades and alerts of your accounts appear here." />
        )}
        <ul className="divide-y divide-line">
          {news.data?.notifications.map((each) => (
            <NotificationRow
              key={each.id}
              notification={each}
              onRead={() => !each.isRead && reading.run({ ids: [each.id] })}
              onLeave={onClose}
            />
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 border-t border-line px-4 py-2.5 text-xs">
        <Link
          href="/notifications"
          onClick={onClose}
          className="inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
        >
          All notifications
        </Link>
        <Link
          href="/settings?tab=notifications"
          onClick={onClose}
          className="inline-flex min-h-6 items-center rounded-sm text-muted underline-offset-4 hover:text-ink hover:underline"
        >
          Notification settings
        </Link>
      </div>
    </>
  );
}
