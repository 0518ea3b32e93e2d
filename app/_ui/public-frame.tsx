import Link from "next/link";
import type { ReactNode } from "react";
import { ThemeToggle } from "./theme-toggle.tsx";

const SUPPORT = "mailto:support@tradewind.example?subject=Tradewind%20support";

/** Header and footer of the public pages. */
export function PublicFrame({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between gap-3 px-4 py-3 sm:px-6">
        <Link href="/" className="rounded-sm py-2 text-lg font-semibold tracking-tight">
          Tradewind
        </Link>
        <div className="flex items-center gap-2">
          <ThemeToggle />
          {action}
        </div>
      </header>
      <main className="flex-1">{children}</main>
      <footer className="mt-16 border-t border-line">
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-4 py-8 text-sm text-muted sm:flex-row sm:items-center sm:justify-between sm:px-6">
          <p>© 2025 Tradewind. All rights reserved.</p>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-2">
            <FooterLink href="/privacy-policy" isNewTab>
              Privacy Policy
            </FooterLink>
            <FooterLink href="/terms-of-service" isNewTab>
              Terms of Service
            </FooterLink>
            <a
              href={SUPPORT}
              className="inline-flex min-h-6 items-center rounded-sm underline-offset-4 hover:text-ink hover:underline"
            >
              Contact Support
            </a>
          </nav>
        </div>
      </footer>
    </div>
  );
}

function FooterLink({ href, isNewTab = false, children }: { href: string; isNewTab?: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      {...(isNewTab ? { target: "_blank", rel: "noopener noreferrer" } : {})}
      className="inline-flex min-h-6 items-center rounded-sm underline-offset-4 hover:text-ink hover:underline"
    >
      {children}
    </Link>
  );
}
