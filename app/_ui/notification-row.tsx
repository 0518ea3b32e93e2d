import Link from "next/link";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { notificationsApi } from "@/lib/contracts/notifications.ts";
import { EnvironmentBadge } from "./badge.tsx";
import { AmountsText } from "./money.tsx";
import { Time } from "./time.tsx";

interface NotificationRowProps {
  notification: Answer<typeof notificationsApi.list>["notifications"][number];
  onRead: () => void;
  /** Its page is opened. */
  onLeave?: () => void;
}

const ROW = "block w-full px-4 py-3 text-left hover:bg-sunken focus-visible:-outline-offset-2";

/** Opening one reads it; one without a page is read by a click. */
export function NotificationRow({ notification, onRead, onLeave }: NotificationRowProps) {
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
            onLeave?.();
          }}
          className={ROW}
        >
          {content}
        </Link>
      )}
    </li>
  );
}
