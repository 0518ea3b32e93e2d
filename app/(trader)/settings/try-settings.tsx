"use client";
import dynamic from "next/dynamic";
import { useState, type ReactNode } from "react";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import { preferencesPreviewApi } from "@/lib/contracts/preferences-preview.ts";
import type { preferencesApi } from "@/lib/contracts/preferences.ts";
import { BACKTEST_LIMIT_NAMES } from "@/lib/domain/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { limitNumbers } from "../../_ui/trading-fields.tsx";

// Its code comes with the first try.
const TryPanel = dynamic(() => import("./try-panel.tsx").then((part) => part.TryPanel), { ssr: false });

export type TriedSettings = Sent<typeof preferencesPreviewApi.start>["settings"];
type Preferences = Answer<typeof preferencesApi.readTrading>;
type LimitName = (typeof BACKTEST_LIMIT_NAMES)[number];
type Entered = Pick<Preferences, "strategy" | "riskTolerance" | "riskLevel"> & Record<LimitName, string>;

export interface Tried {
  id: string;
  /** What was tried, and what was saved then. */
  settings: TriedSettings;
  saved: TriedSettings;
}

/** What is entered, as a try takes it. */
const settingsOf = (entered: Entered): TriedSettings => ({
  strategy: entered.strategy,
  riskTolerance: entered.riskTolerance,
  riskLevel: entered.riskLevel,
  ...limitNumbers(BACKTEST_LIMIT_NAMES, entered),
});

interface TrySettingsProps {
  entered: Entered;
  saved: Entered;
  /** A refused field is shown like those of a save. */
  onProblems: (problems: Record<string, string>) => void;
  /** Stands beside the button. */
  children: ReactNode;
}

/** Tries what is entered on the last sessions, before it is saved. */
export function TrySettings({ entered, saved, onProblems, children }: TrySettingsProps) {
  const [tried, setTried] = useState<Tried | null>(null);
  const starting = useAction(preferencesPreviewApi.start);
  const [settings, kept] = [settingsOf(entered), settingsOf(saved)];
  function start() {
    onProblems({});
    starting.run(
      { settings },
      {
        onSuccess: ({ id }) => setTried({ id, settings, saved: kept }),
        onFailure: ({ issues }) =>
          onProblems(Object.fromEntries(issues.map(({ path, message }) => [path.replace(/^settings\./, ""), message]))),
      },
    );
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {children}
        <Button tone="secondary" disabled={starting.isBusy} onClick={start}>
          Try on the last 20 sessions
        </Button>
      </div>
      {starting.failure !== null && (
        <Banner kind="failure" detail={starting.failure.message}>
          These settings cannot be tried now
        </Banner>
      )}
      {tried !== null && <TryPanel tried={tried} entered={settings} saved={kept} />}
    </>
  );
}
