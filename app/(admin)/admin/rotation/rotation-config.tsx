"use client";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { SwitchField } from "../../../_ui/switch-field.tsx";
import { notifyFailure } from "../../../_ui/notify-with-undo.ts";
import { TypedDialog } from "../../../_ui/typed-dialog.tsx";

/** The two switches of the rotation and the numbers in force. Trading live is typed; going back to a preview is one click. */
export function RotationConfig() {
  const config = useEndpoint(rotationApi.readConfig, {});
  const change = useAction(rotationApi.changeConfig, { refreshes: [rotationApi.readConfig] });
  const [isConfirming, setConfirming] = useState(false);
  const data = config.data;
  const enable = (enabled: boolean) =>
    change.run(
      { enabled },
      { onFailure: ({ message }) => notifyFailure("Failed to update rotation settings", message) },
    );
  const preview = (advisory_only: boolean) =>
    change.run(
      { advisory_only },
      {
        onSuccess: () => setConfirming(false),
        onFailure: ({ message }) => notifyFailure("Failed to update advisory mode", message),
      },
    );
  if (data === undefined)
    return config.failure === null ? (
      <SkeletonRows />
    ) : (
      <FailureNote text="Failed to load rotation data" detail={config.failure.message} onRetry={config.retry} />
    );
  const isLive = !data.advisory_only;
  return (
    <Card
      title="Biweekly Rotation"
      aside={<Badge tone={isLive ? "warn" : "neutral"}>{isLive ? "Live Trading" : "Preview Only"}</Badge>}
    >
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <div className="flex flex-col gap-3">
          <SwitchField
            label="Rotation enabled"
            hint={data.enabled ? "Plans are made when a rotation is due." : "No plans are made or executed."}
            isOn={data.enabled}
            isDisabled={change.isBusy}
            onChange={enable}
          />
          <SwitchField
            label="Live Trading"
            hint={
              isLive ? "Approved plans can be executed." : "Preview Only: plans can be approved but are never executed."
            }
            isOn={isLive}
            isDisabled={change.isBusy}
            onChange={(on) => (on ? setConfirming(true) : preview(true))}
          />
        </div>
        <NumbersInForce config={data} />
      </div>
      <TypedDialog
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        title="Let rotation trade"
        description="From now on, new plans can be executed once approved, in every account that takes part. Plans made as a preview stay previews."
        phrase="LIVE TRADING"
        action="Switch to Live Trading"
        isBusy={change.isBusy}
        onConfirm={() => preview(false)}
      />
    </Card>
  );
}

type Config = Answer<typeof rotationApi.readConfig>;

const originOf = (name: Config["overrides"][number], { overrides, policyVersion }: Config) =>
  overrides.includes(name) ? "Set here" : `Policy ${policyVersion}`;

function NumbersInForce({ config }: { config: Config }) {
  return (
    <dl className="grid grid-cols-3 gap-4">
      <Stat label="Every" note={originOf("cadence_days", config)}>
        {config.cadence_days} days
      </Stat>
      <Stat label="Turnover cap" note={originOf("turnover_cap_pct_per_period", config)}>
        {config.turnover_cap_pct_per_period}%
      </Stat>
      <Stat label="Cost threshold" note={originOf("cost_aware_threshold_bps", config)}>
        {config.cost_aware_threshold_bps} bps
      </Stat>
    </dl>
  );
}
