"use client";
import { LogOut } from "lucide-react";
import Link from "next/link";
import { Dialog } from "radix-ui";
import { useState } from "react";
import type { SessionUser } from "../_hooks/use-session.ts";
import { Identity } from "./identity.tsx";
import type { NavLink } from "./nav-links.ts";

const ENTRY = "flex min-h-12 w-full items-center gap-3 rounded-lg px-3 text-left hover:bg-sunken";

interface MoreSheetProps {
  user: Pick<SessionUser, "firstName" | "lastName" | "email" | "role">;
  links: readonly NavLink[];
  currentOf: (href: string) => "page" | undefined;
  onLogout: () => void;
  onClose: () => void;
}

/** What the bottom bar of a phone has no room for. */
export function MoreSheet({ user, links, currentOf, onLogout, onClose }: MoreSheetProps) {
  const [opener] = useState(() => document.activeElement);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-slate-950/50" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener instanceof HTMLElement) opener.focus();
          }}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[85dvh] overflow-y-auto rounded-t-2xl border border-line bg-surface p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-sm shadow-xl"
        >
          <Dialog.Title className="px-3 text-base font-semibold">More</Dialog.Title>
          <div className="mt-2 border-b border-line px-3 pb-3">
            <Identity user={user} />
          </div>
          <nav aria-label="More" className="mt-2">
            {links.map(({ href, label, Icon }) => (
              <Link
                key={href}
                href={href}
                aria-current={currentOf(href)}
                onClick={onClose}
                className={`${ENTRY} aria-[current=page]:font-medium aria-[current=page]:text-accent`}
              >
                <Icon aria-hidden className="size-5 text-muted" />
                {label}
              </Link>
            ))}
          </nav>
          <button type="button" onClick={onLogout} className={ENTRY}>
            <LogOut aria-hidden className="size-5 text-muted" />
            Logout
          </button>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
