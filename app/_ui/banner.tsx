import type { ReactNode } from "react";
import { CircleAlert, CircleCheck, TriangleAlert } from "./icons.tsx";

const KINDS = {
  success: { Icon: CircleCheck, look: "border-gain/30 bg-gain-soft text-gain", role: "status" },
  failure: { Icon: CircleAlert, look: "border-loss/30 bg-loss-soft text-loss", role: "alert" },
  warning: { Icon: TriangleAlert, look: "border-warn/30 bg-warn-soft text-warn", role: "status" },
} as const;

interface BannerProps {
  kind: keyof typeof KINDS;
  /** A second line, in plain ink. */
  detail?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Banner({ kind, detail, action, children }: BannerProps) {
  const { Icon, look, role } = KINDS[kind];
  return (
    <div
      role={role}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border px-4 py-3 text-sm ${look}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 basis-48 wrap-anywhere">
        <p className="font-medium">{children}</p>
        {detail !== undefined && <p className="mt-0.5 text-ink">{detail}</p>}
      </div>
      {action}
    </div>
  );
}
