"use client";
import "./globals.css";

/**
 * What is left when not even the frame of a page could be drawn. Next's own would write its style as markup. The second try loads the
 * page whole: what the server failed to give, the router would show again as it was.
 */
export default function GlobalError() {
  return (
    <html lang="en">
      <body className="font-sans antialiased">
        <title>Something went wrong · Tradewind</title>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-4 px-4">
          <h1 className="text-2xl font-semibold tracking-tight">Something went wrong</h1>
          <p className="text-muted">This page could not be shown. Trading is not affected.</p>
          <p className="flex gap-4">
            <button type="button" onClick={() => window.location.reload()} className="min-h-11 text-accent underline">
              Try again
            </button>
            {/* A full load: what is broken here is the page that would lead elsewhere. */}
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a whole page: the frame that failed is left */}
            <a href="/" className="flex min-h-11 items-center text-accent underline">
              Go to the start page
            </a>
          </p>
        </main>
      </body>
    </html>
  );
}
