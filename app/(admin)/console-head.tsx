"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useChosenInView } from "../_hooks/use-chosen-in-view.ts";
import { BackLink } from "../_ui/back-link.tsx";
import { PageHead } from "../_ui/page-head.tsx";
import { KillSwitchButton } from "./kill-switch-button.tsx";

/** The administrators' pages beside the tabs of the console. */
const PAGES = [
  { href: "/admin", label: "Console" },
  { href: "/admin/users", label: "Users" },
  { href: "/admin/operations", label: "Operations" },
  { href: "/admin/invariants", label: "Invariants" },
  { href: "/admin/audit", label: "Audit" },
  { href: "/admin/system", label: "System" },
] as const;

interface ConsoleHeadProps {
  title: string;
  back?: { href: string; label: string };
  environment?: ReactNode;
  asOf?: string | null;
  isStale?: boolean;
  children?: ReactNode;
}

/** The head of every administrators' page: the way back, the other pages, and the kill switch. */
export function ConsoleHead({ back = { href: "/admin", label: "Back" }, children, ...head }: ConsoleHeadProps) {
  const path = usePathname();
  const nav = useChosenInView<HTMLElement>('[aria-current="page"]', path);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <BackLink href={back.href}>{back.label}</BackLink>
        <nav ref={nav} aria-label="Administration" className="-mx-2 flex max-w-full overflow-x-auto">
          {PAGES.map(({ href, label }) => (
            <Link
              key={href}
              href={href}
              aria-current={path === href ? "page" : undefined}
              className="flex min-h-11 items-center px-2 whitespace-nowrap text-muted hover:text-ink sm:min-h-9 aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <PageHead {...head}>
        {children}
        <KillSwitchButton />
      </PageHead>
    </div>
  );
}
