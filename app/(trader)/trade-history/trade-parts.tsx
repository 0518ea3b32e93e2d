import { EnvironmentBadge } from "../../_ui/badge.tsx";
import type { Trade } from "./labels.ts";

export function Side({ side }: { side: Trade["side"] }) {
  return (
    <span className={`font-medium ${side === "BUY" ? "text-gain" : "text-loss"}`}>
      {side === "BUY" ? "Buy" : "Sell"}
    </span>
  );
}

/** Whose trade it is, for administrators. */
export function Owner({ account }: { account: Trade["account"] }) {
  const name = `${account.user.firstName} ${account.user.lastName}`;
  return (
    <span className="block max-w-56">
      <span className="flex items-center gap-2">
        <span className="truncate" title={name}>
          {name}
        </span>
        <EnvironmentBadge environment={account.environmentLabel} />
      </span>
      <span className="block truncate text-xs text-muted" title={account.user.email}>
        {account.user.email}
      </span>
    </span>
  );
}

/**
 * The whole id, cut by the style alone: search, copying and screen readers have all of it. Its end is what shows, because the
 * beginning is the time, alike for all trades of a while; in a line from right to left it is the beginning that is cut.
 */
export function TradeId({ id, className = "" }: { id: string; className?: string }) {
  return (
    <code dir="rtl" title={id} className={`block truncate font-mono text-xs ${className}`}>
      <bdi dir="ltr">{id}</bdi>
    </code>
  );
}
