"use client";
import { Bell as BellIcon } from "lucide-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";

const POLL_MS = 30_000;
const SHOWN_AT_MOST = 99;

const BellList = dynamic(() => import("./bell-list.tsx").then((part) => part.BellList), { ssr: false });

/** How much news there is; the list itself is loaded when it is first opened. */
export function Bell() {
  const { data } = useEndpoint(notificationsApi.list, {}, { pollMs: POLL_MS });
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const unread = data?.unreadCount ?? 0;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={unread === 0 ? "Notifications" : `Notifications, ${unread} unread`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="relative flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink lg:size-9"
      >
        <BellIcon aria-hidden className="size-4" />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute top-1 left-1/2 min-w-4 rounded-full bg-accent px-1 text-center text-[10px] leading-4 font-semibold text-on-accent lg:top-0.5"
          >
            {unread > SHOWN_AT_MOST ? `${SHOWN_AT_MOST}+` : unread}
          </span>
        )}
      </button>
      {isOpen && <BellList anchor={button} onClose={() => setOpen(false)} />}
    </>
  );
}
