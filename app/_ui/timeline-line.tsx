import Link from "next/link";
import type { TodayEventName } from "@/lib/domain/enums.ts";
import { clockText } from "@/lib/domain/time.ts";
import { type SentencePart, SentenceParts } from "./sentence-text.tsx";

interface Entry {
  kind: TodayEventName;
  at: string;
  /** The last of a run that says the same. */
  until: string | null;
  parts: readonly SentencePart[];
  /** The page of its record; absent where the reader may not open it. */
  href?: string;
}

const DOTS: Record<TodayEventName, string> = {
  LOOKED: "border border-line-strong bg-surface",
  BOUGHT: "bg-gain",
  SOLD: "bg-loss",
  STOP_RAISED: "bg-accent",
  REFUSED: "bg-amber-400",
};

/** One event of a day. */
export function TimelineLine({ entry, className = "" }: { entry: Entry; className?: string }) {
  const { kind, at, until, parts, href } = entry;
  const tone = kind === "LOOKED" ? "text-muted" : "";
  const content = <SentenceParts parts={parts} isToned={kind === "SOLD"} />;
  return (
    <li className={`relative flex gap-3 pb-3 last:pb-0 ${className}`}>
      <span aria-hidden className={`mt-1.5 size-2 shrink-0 rounded-full ${DOTS[kind]}`} />
      <p className="min-w-0">
        <span className="text-xs text-muted tabular-nums">
          <time dateTime={at}>{clockText(at)}</time>
          {until !== null && (
            <>
              –<time dateTime={until}>{clockText(until)}</time>
            </>
          )}{" "}
        </span>
        {href === undefined ? (
          <span className={tone}>{content}</span>
        ) : (
          <Link href={href} className={`underline-offset-4 hover:underline ${tone}`}>
            {content}
          </Link>
        )}
      </p>
    </li>
  );
}
