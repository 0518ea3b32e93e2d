import type { ReactNode } from "react";
import { HeaderAction } from "./header-action.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

const LINK = "tap inline-flex min-h-6 items-center rounded-sm underline-offset-4 hover:text-ink hover:underline";

interface PublicFrameProps {
  supportEmail: string;
  /** Of the person who is signed in; null for all others. */
  name: string | null;
  children: ReactNode;
}

/** Header and footer of the public pages. Their links load whole pages: Next's own link would be the largest piece of code here. */
export function PublicFrame({ supportEmail, name, children }: PublicFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header className="mx-auto flex w-full max-w-6xl items-center justify-between gap-3 px-4 py-3 sm:px-6 print:hidden">
        {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a whole page, see above */}
        <a href="/" className="rounded-sm py-2 text-lg font-semibold tracking-tight">
          Tradewind
        </a>
        <div className="flex items-center gap-2">
          <ThemeToggle />
          <HeaderAction name={name} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <footer className="mt-16 border-t border-line print:hidden">
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-4 px-4 py-8 text-sm text-muted sm:flex-row sm:items-center sm:justify-between sm:px-6">
          <p>© 2025 Tradewind. All rights reserved.</p>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-6 gap-y-5">
            <a href="/privacy-policy" target="_blank" rel="noopener noreferrer" className={LINK}>
              Privacy Policy
            </a>
            <a href="/terms-of-service" target="_blank" rel="noopener noreferrer" className={LINK}>
              Terms of Service
            </a>
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a whole page, see above */}
            <a href="/api-reference" className={LINK}>
              API
            </a>
            <a href={`mailto:${supportEmail}?subject=Tradewind%20support`} className={LINK}>
              Contact Support
            </a>
          </nav>
        </div>
      </footer>
    </div>
  );
}
