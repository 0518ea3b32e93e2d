"use client";
import { X } from "lucide-react";
import type { TradeMark } from "@/lib/domain/equity-line.ts";
import { easternText } from "@/lib/domain/format.ts";
import { TextButton } from "./button.tsx";
import { Money } from "./money.tsx";

const ROWS_MOST = 60;

interface MarkRowsProps {
  marks: readonly TradeMark[];
  onOpenTrade: ((tradeId: string) => void) | undefined;
}

/** Trades of a chart, each with the way to its page. */
export function MarkRows({ marks, onOpenTrade }: MarkRowsProps) {
  return (
    <ul className="divide-y divide-line text-xs tabular-nums">
      {marks.map((mark) => (
        <li key={mark.tradeId} className="flex flex-wrap items-center justify-between gap-x-3 py-1">
          <span>
            <span className={mark.side === "BUY" ? "text-gain" : "text-loss"}>
              {mark.side === "BUY" ? "▲ Buy" : "▼ Sell"}
            </span>{" "}
            <span className="font-medium">{mark.symbol}</span> at <Money value={mark.price} />
          </span>
          <span className="flex items-center gap-3 text-muted">
            {easternText(mark.at)}
            {onOpenTrade && (
              <TextButton
                aria-label={`Open the trade: ${mark.symbol}, ${easternText(mark.at)}`}
                onClick={() => onOpenTrade(mark.tradeId)}
              >
                Open
              </TextButton>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface MarkListProps extends MarkRowsProps {
  title: string;
  onClose: () => void;
}

/** The trades behind a mark that stands for several. */
export function MarkList({ title, marks, onOpenTrade, onClose }: MarkListProps) {
  if (marks.length === 0) return null;
  return (
    <section aria-label={title} className="mt-2 rounded-lg border border-line p-3">
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs font-medium" aria-live="polite">
          {title}
        </p>
        <button
          type="button"
          aria-label="Close the list"
          onClick={onClose}
          className="flex size-8 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <div className="max-h-48 overflow-y-auto" tabIndex={0} role="region" aria-label={title}>
        <MarkRows marks={marks.slice(0, ROWS_MOST)} onOpenTrade={onOpenTrade} />
      </div>
    </section>
  );
}
