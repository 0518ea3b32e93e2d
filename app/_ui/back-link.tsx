import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";

/** From the page of one thing to the list of all. */
export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="tap flex min-h-6 items-center gap-1 self-start rounded-sm text-muted hover:text-ink">
      <ChevronLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}
