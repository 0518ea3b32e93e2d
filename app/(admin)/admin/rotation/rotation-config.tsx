"use client";
import { counted } from "@/lib/domain/counted.ts";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { rotationApi } from "@/lib/contracts/rotation.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Banner } from "../../../_ui/banner.tsx";
import { Card } from "../../../_ui/card.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { SwitchField } from "../../../_ui/switch-field.tsx";
import { TypedDialog } from "../../../_ui/typed-dialog.tsx";

type Config = Answer<typeof rotationApi.readConfig>;

/** The two switches of the rotation and the numbers in force. */
export function RotationConfig({ config }: { config: Config }) {
  const isLive = !config.advisory_only;
  return (
    <Card
      title="Biweekly Rotation"
      aside={<Badge tone={isLive ? "warn" : "neutral"}>{isLive ? "Live Trading" : "Preview Only"}</Badge>}
    >
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Switches config={config} />
        <NumbersInForce config={config} />
      </div>
    </Card>
  );
}

/** Trading live is typed; going back to a preview is one click. */
function Switches({ config: { enabled, advisory_only } }: { config: Config }) {
  const settings = useAction(rotationApi.changeConfig, { refreshes: [rotationApi.readConfig] });
  const mode = useAction(rotationApi.changeConfig, { refreshes: [rotationApi.readConfig] });
  const [isConfirming, setConfirming] = useState(false);
  const isBusy = settings.isBusy || mode.isBusy;
  const isLive = !advisory_only;
  // What was asked for last: the stored value may be that already, where only the answer was lost.
  const [asked, setAsked] = useState(enabled);
  const enable = (isOn: boolean) => {
    setAsked(isOn);
    settings.run({ enabled: isOn });
  };
  const preview = (isOn: boolean) => mode.run({ advisory_only: isOn }, { onSuccess: () => setConfirming(false) });
  return (
    <div className="flex flex-col gap-3">
      <SwitchField
        label="Rotation enabled"
        hint={enabled ? "Plans are made when a rotation is due." : "No plans are made or executed."}
        isOn={enabled}
        isDisabled={isBusy}
        onChange={enable}
      />
      {settings.failure !== null && (
        <FailureNote
          text="Failed to update rotation settings"
          detail={settings.failure.message}
          onRetry={() => enable(asked)}
        />
      )}
      <SwitchField
        label="Live Trading"
        hint={
          isLive ? "Approved plans can be executed." : "Preview Only: plans can be approved but are never executed."
        }
        isOn={isLive}
        isDisabled={isBusy}
        onChange={(on) => (on ? setConfirming(true) : preview(true))}
      />
      {mode.failure !== null && !isConfirming && (
        <FailureNote
          text="Failed to update advisory mode"
          detail={mode.failure.message}
          onRetry={() => preview(true)}
        />
      )}
      <LiveDialog
        isOpen={isConfirming}
        isBusy={mode.isBusy}
        failure={mode.failure?.message}
        onConfirm={() => preview(false)}
        onClose={() => {
          setConfirming(false);
          // What was refused in the dialog is said there, and forgotten with it.
          mode.reset();
        }}
      />
    </div>
  );
}

interface LiveDialogProps {
  isOpen: boolean;
  isBusy: boolean;
  failure: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

function LiveDialog({ failure, ...dialog }: LiveDialogProps) {
  return (
    <TypedDialog
      {...dialog}
      title="Let rotation trade"
      description="From now on, new plans can be executed once approved, in every account that takes part. Plans made as a preview stay previews."
      phrase="LIVE TRADING"
      action="Switch to Live Trading"
    >
      {failure !== undefined && (
        <Banner kind="failure" detail={failure}>
          Failed to update advisory mode
        </Banner>
      )}
    </TypedDialog>
  );
}

const originOf = (name: Config["overrides"][number], { overrides, policyVersion }: Config) =>
  overrides.includes(name) ? "Set here" : `Policy ${policyVersion}`;

function NumbersInForce({ config }: { config: Config }) {
  return (
    <dl className="grid grid-cols-3 gap-4">
      <Stat label="Every" note={originOf("cadence_days", config)}>
        {counted(config.cadence_days, "day")}
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
