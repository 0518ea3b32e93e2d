"use client";
import { useEffect, useState } from "react";
import type { Environment } from "@/lib/domain/enums.ts";
import { useEnvironment } from "../_hooks/use-environment.ts";
import { EnvironmentBadge } from "./badge.tsx";
import { Segmented } from "./segmented.tsx";

interface Scope {
  environment: Environment | null;
  environments: readonly Environment[];
}

/**
 * Whose money the page shows, once in its head, with the choice where there are several. `of` is the page's main answer,
 * undefined while it is on its way.
 */
export function EnvironmentSwitch({ of }: { of: Scope | undefined }) {
  const { wanted, choose, forget, settle } = useEnvironment();
  const [last, setLast] = useState(of);
  if (of !== undefined && of !== last) setLast(of);
  // A choice that no longer has an account, or never had one.
  const isVain = wanted !== undefined && of?.environment === wanted && !of.environments.includes(wanted);
  useEffect(() => {
    if (isVain) forget();
    else settle();
  });
  const shown = wanted ?? last?.environment ?? null;
  if (last === undefined || shown === null || isVain) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <EnvironmentBadge environment={shown} />
      {last.environments.length > 1 && (
        <div className="print:hidden">
          <Segmented
            label="Environment"
            options={last.environments.map((each) => ({ value: each, label: LABELS[each] }))}
            value={shown}
            onChange={choose}
          />
        </div>
      )}
    </div>
  );
}

const LABELS: Record<Environment, string> = { LIVE: "Live", PAPER: "Paper", PRACTICE: "Practice" };
