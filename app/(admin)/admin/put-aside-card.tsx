import Link from "next/link";
import type { consoleApi } from "@/lib/contracts/console.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Time } from "../../_ui/time.tsx";
import { symbolAddress } from "../symbol-link.tsx";
import { MARKET_LABELS } from "../use-market.ts";

type Performance = Answer<typeof consoleApi.providerPerformance>;

/** Symbols that get no seat and no entry now because their sources disagree. */
export function PutAsideCard({ quarantined, quarantinedCount }: Pick<Performance, "quarantined" | "quarantinedCount">) {
  return (
    <Card
      title="Sources that disagree"
      aside={<Badge tone={quarantinedCount === 0 ? "gain" : "warn"}>{`${countText(quarantinedCount)} now`}</Badge>}
    >
      {quarantined.length === 0 ? (
        <p className="text-sm text-muted">No symbol is set aside: wherever sources were compared, they agree.</p>
      ) : (
        <>
          <p className="mb-2 text-sm text-muted">
            No seat and no new position until the sources agree again; stops and exits are not affected.
          </p>
          <ul className="max-h-96 divide-y divide-line overflow-y-auto" tabIndex={0} aria-label="Symbols set aside">
            {quarantined.map(({ market, symbol, figure, text, foundAt }) => (
              <li
                key={`${market} ${symbol} ${figure}`}
                className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 text-sm"
              >
                <Link
                  href={symbolAddress(symbol, market)}
                  className="tap w-16 shrink-0 rounded-sm font-semibold text-accent underline-offset-4 hover:underline"
                >
                  {symbol}
                </Link>
                <span className="min-w-0 grow basis-48 wrap-anywhere">{text}</span>
                <span className="text-xs text-muted">
                  {MARKET_LABELS[market]}, <Time at={foundAt} />
                </span>
              </li>
            ))}
          </ul>
          {quarantinedCount > quarantined.length && (
            <p className="mt-2 text-xs text-muted">{`The newest ${countText(quarantined.length)} are shown.`}</p>
          )}
        </>
      )}
    </Card>
  );
}
