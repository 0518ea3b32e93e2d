"use client";
import { LogOut, ShieldUser } from "lucide-react";
import Link from "next/link";
import { Dialog } from "radix-ui";
import type { SessionUser } from "../_hooks/use-session.ts";
import { Identity } from "./identity.tsx";
import type { NavLink } from "./nav-links.ts";
import { Overlay } from "./overlay.tsx";

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
  return (
    <Overlay
      onClose={onClose}
      className="inset-x-0 bottom-0 max-h-[85dvh] overflow-y-auto rounded-t-2xl border p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] text-sm"
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
        <Link
          href="/security"
          aria-current={currentOf("/security")}
          onClick={onClose}
          className={`${ENTRY} aria-[current=page]:font-medium aria-[current=page]:text-accent`}
        >
          <ShieldUser aria-hidden className="size-5 text-muted" />
          Sign-in and security
        </Link>
      </nav>
      <button
        type="button"
        onClick={() => {
          onClose();
          onLogout();
        }}
        className={ENTRY}
      >
        <LogOut aria-hidden className="size-5 text-muted" />
        Logout
      </button>
    </Overlay>
  );
}
