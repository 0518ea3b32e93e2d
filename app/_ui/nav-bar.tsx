"use client";
import { History, KeyRound, LayoutDashboard, LogOut } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const LINKS = [
  { href: "/dashboard", label: "Dashboard", Icon: LayoutDashboard, roles: ["USER", "ADMIN"] },
  { href: "/alpaca-keys", label: "Alpaca Keys", Icon: KeyRound, roles: ["USER"] },
  { href: "/trade-history", label: "Trade History", Icon: History, roles: ["USER", "ADMIN"] },
] as const;

interface NavBarProps {
  user: { firstName: string; lastName: string; email: string; role: "USER" | "ADMIN" };
  clock: ReactNode;
  onLogout: () => void;
}

export function NavBar({ user, clock, onLogout }: NavBarProps) {
  const path = usePathname();
  const links = LINKS.filter((link) => (link.roles as readonly string[]).includes(user.role));
  const current = (href: string) => (path === href || path.startsWith(`${href}/`) ? "page" : undefined);
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-4 px-4 sm:px-6">
          <span className="py-3 text-base font-semibold tracking-tight">Tradewind</span>
          <nav aria-label="Main" className="hidden items-center sm:flex">
            {links.map(({ href, label }) => (
              <Link
                key={href}
                href={href}
                aria-current={current(href)}
                className="relative flex min-h-14 items-center px-3 text-sm text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-3 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
              >
                {label}
              </Link>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-1 py-1.5">
            <ThemeToggle />
            <button
              type="button"
              onClick={onLogout}
              className="flex min-h-11 items-center gap-2 rounded-lg px-3 text-sm text-muted hover:bg-sunken hover:text-ink sm:min-h-9"
            >
              <LogOut aria-hidden className="size-4" />
              Logout
            </button>
          </div>
          <div className="flex w-full flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line py-2 text-xs text-muted">
            {clock}
            <p className="flex min-w-0 items-center gap-2">
              <span className="truncate">
                <span className="font-medium text-ink">
                  {user.firstName} {user.lastName}
                </span>
                <span className="ml-2">{user.email}</span>
              </span>
              <Badge tone={user.role === "ADMIN" ? "loss" : "accent"}>{user.role === "ADMIN" ? "Admin" : "User"}</Badge>
            </p>
          </div>
        </div>
      </header>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
      >
        {links.map(({ href, label, Icon }) => (
          <Link
            key={href}
            href={href}
            aria-current={current(href)}
            className="flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-xs text-muted aria-[current=page]:font-medium aria-[current=page]:text-accent"
          >
            <Icon aria-hidden className="size-5" />
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
