"use client";
import { Ellipsis, LogOut, Search, ShieldUser } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState, type ReactNode, type RefObject } from "react";
import type { SessionUser } from "../_hooks/use-session.ts";
import { EnvironmentBadge } from "./badge.tsx";
import { Bell } from "./bell.tsx";
import { Identity } from "./identity.tsx";
import { linksOf, type NavLink } from "./nav-links.ts";
import { PauseButton } from "./pause-button.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const MoreSheet = dynamic(() => import("./more-sheet.tsx").then((part) => part.MoreSheet), { ssr: false });

interface NavBarProps {
  user: Pick<SessionUser, "firstName" | "lastName" | "email" | "role">;
  /** Whether real money is connected. */
  isLive: boolean;
  clock: ReactNode;
  /** Around the pause button, for who pauses by another way. */
  pauseRef: RefObject<HTMLSpanElement | null>;
  onSearch: () => void;
  onLogout: () => void;
}

const LINK =
  "relative flex min-h-14 items-center px-1.5 text-[13px] whitespace-nowrap text-muted hover:text-ink xl:px-2.5 xl:text-sm aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-1.5 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent xl:aria-[current=page]:after:inset-x-2.5";

const TAB =
  "flex min-h-14 min-w-0 flex-1 flex-col items-center justify-center gap-1 px-0.5 text-center text-[11px] leading-tight text-muted aria-[current=page]:font-medium aria-[current=page]:text-accent";

/** One row above; under 1024 px the pages move to the bottom: four, and the others behind "More". */
export function NavBar({ user, isLive, clock, pauseRef, onSearch, onLogout }: NavBarProps) {
  const path = usePathname();
  const [hasMore, setMore] = useState(false);
  const links = linksOf(user.role);
  const others = links.filter((link) => !link.isFirst);
  const currentOf = (href: string) => (path === href || path.startsWith(`${href}/`) ? "page" : undefined);
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header
        className={`border-b print:hidden ${isLive ? "border-warn/40 bg-warn-soft" : "border-line bg-surface"}`}
        data-environment={isLive ? "LIVE" : undefined}
      >
        <div className="mx-auto max-w-7xl px-4 sm:px-6">
          <div className="flex items-center gap-2 xl:gap-4">
            <span className="flex min-h-14 items-center gap-2 text-base font-semibold tracking-tight">
              Tradewind
              {isLive && <EnvironmentBadge environment="LIVE" />}
            </span>
            <nav aria-label="Main" className="hidden items-center lg:flex">
              {links.map(({ href, label }) => (
                <Link key={href} href={href} aria-current={currentOf(href)} className={LINK}>
                  {label}
                </Link>
              ))}
            </nav>
            <HeaderTools pauseRef={pauseRef} onSearch={onSearch} />
          </div>
          <div
            className={`flex items-center justify-between gap-x-6 border-t py-1 text-xs text-muted ${isLive ? "border-warn/30" : "border-line"}`}
          >
            <div className="py-1 lg:shrink-0 lg:whitespace-nowrap">{clock}</div>
            <UserLinks user={user} currentOf={currentOf} onLogout={onLogout} />
          </div>
        </div>
      </header>
      <BottomTabs
        links={links.filter((link) => link.isFirst)}
        currentOf={currentOf}
        hasMore={hasMore}
        isBehindMore={others.some(({ href }) => currentOf(href) === "page")}
        onMore={() => setMore(true)}
      />
      {hasMore && (
        <MoreSheet
          user={user}
          links={others}
          currentOf={currentOf}
          onLogout={onLogout}
          onClose={() => setMore(false)}
        />
      )}
    </>
  );
}

function HeaderTools({ pauseRef, onSearch }: Pick<NavBarProps, "pauseRef" | "onSearch">) {
  return (
    <div className="ml-auto flex items-center">
      <span ref={pauseRef}>
        <PauseButton />
      </span>
      <button
        type="button"
        onClick={onSearch}
        aria-label="Command menu"
        aria-keyshortcuts="Control+K Meta+K"
        title="Command menu (Ctrl K or ⌘ K)"
        className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink lg:size-9"
      >
        <Search aria-hidden className="size-4" />
      </button>
      <Bell />
      <ThemeToggle />
    </div>
  );
}

/** "page" for a link to the page that is shown. */
type CurrentOf = (href: string) => "page" | undefined;

function UserLinks({ user, currentOf, onLogout }: Pick<NavBarProps, "user" | "onLogout"> & { currentOf: CurrentOf }) {
  return (
    <div className="hidden min-w-0 items-center gap-3 lg:flex">
      <Identity user={user} />
      <Link
        href="/security"
        aria-current={currentOf("/security")}
        className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 whitespace-nowrap hover:bg-sunken hover:text-ink aria-[current=page]:text-ink"
      >
        <ShieldUser aria-hidden className="size-3.5" />
        Sign-in and security
      </Link>
      <button
        type="button"
        onClick={onLogout}
        className="flex min-h-8 shrink-0 items-center gap-1.5 rounded-md px-2 hover:bg-sunken hover:text-ink"
      >
        <LogOut aria-hidden className="size-3.5" />
        Logout
      </button>
    </div>
  );
}

interface BottomTabsProps {
  links: readonly NavLink[];
  currentOf: CurrentOf;
  hasMore: boolean;
  /** Whether the page that is shown is one of those behind "More". */
  isBehindMore: boolean;
  onMore: () => void;
}

function BottomTabs({ links, currentOf, hasMore, isBehindMore, onMore }: BottomTabsProps) {
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {links.map(({ href, label, Icon }) => (
        <Link key={href} href={href} aria-current={currentOf(href)} className={TAB}>
          <Icon aria-hidden className="size-5" />
          {label}
        </Link>
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={hasMore}
        aria-current={isBehindMore ? "page" : undefined}
        onClick={onMore}
        className={TAB}
      >
        <Ellipsis aria-hidden className="size-5" />
        More
      </button>
    </nav>
  );
}
