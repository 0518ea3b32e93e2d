import type { ReactNode } from "react";
import type { Environment } from "@/lib/domain/enums.ts";

type BadgeTone = "neutral" | "accent" | "gain" | "loss" | "warn";

const TONES: Record<BadgeTone, string> = {
  neutral: "border-line bg-sunken text-muted",
  accent: "border-accent/25 bg-accent-soft text-accent",
  gain: "border-gain/25 bg-gain-soft text-gain",
  loss: "border-loss/25 bg-loss-soft text-loss",
  warn: "border-warn/25 bg-warn-soft text-warn",
};

export function Badge({ tone = "neutral", children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center whitespace-nowrap rounded-md border px-1.5 py-0.5 text-xs font-medium ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}

/** Which money the figures are about. */
export function EnvironmentBadge({ environment }: { environment: Environment | "BACKTEST" }) {
  return <Badge tone={environment === "LIVE" ? "warn" : "neutral"}>{environment}</Badge>;
}
