"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import { providerState } from "@/lib/domain/console.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Time } from "../../_ui/time.tsx";

type Metrics = Answer<typeof consoleApi.metrics>;

export function ProvidersCard({ providers, apiMetrics }: Pick<Metrics, "providers" | "apiMetrics">) {
  return (
    <Card
      title="Providers"
      aside={
        <span className="text-xs text-muted">
          {apiMetrics.timestamp === null ? "checked daily at 13:30 UTC" : <LastCheck at={apiMetrics.timestamp} />}
        </span>
      }
    >
      <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-4">
        {providers.map((provider) => {
          const { label, tone } = providerState(provider);
          return (
            <li key={provider.provider} className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
                {provider.provider} <Badge tone={tone}>{label}</Badge>
              </p>
              <p className="mt-1 text-xs wrap-anywhere text-muted">{provider.message}</p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function LastCheck({ at }: { at: string }) {
  return (
    <>
      last check <Time at={at} />
    </>
  );
}
