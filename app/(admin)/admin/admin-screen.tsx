"use client";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Tabs } from "../../_ui/tabs.tsx";
import { ConsoleHead } from "../console-head.tsx";
import { QuickActions } from "./quick-actions.tsx";

const TAB_LABELS = {
  overview: "Overview",
  performance: "Performance",
  flags: "Feature Flags",
  limits: "Rate Limits",
  policy: "Policy Config",
  selectors: "Selectors",
  queue: "Queue",
  rotation: "Biweekly Rotation",
} as const;
type TabName = keyof typeof TAB_LABELS;

/** Each tab's code comes when it is opened. */
const loading = () => <SkeletonRows />;
const CONTENT: Record<TabName, () => ReactNode> = {
  overview: dynamic(() => import("./overview-tab.tsx").then((part) => part.OverviewTab), { loading }),
  performance: dynamic(() => import("./performance-tab.tsx").then((part) => part.PerformanceTab), { loading }),
  flags: dynamic(() => import("./flags-tab.tsx").then((part) => part.FlagsTab), { loading }),
  limits: dynamic(() => import("./limits-tab.tsx").then((part) => part.LimitsTab), { loading }),
  policy: dynamic(() => import("./policy-tab.tsx").then((part) => part.PolicyTab), { loading }),
  selectors: dynamic(() => import("./selectors-tab.tsx").then((part) => part.SelectorsTab), { loading }),
  queue: dynamic(() => import("./queue-tab.tsx").then((part) => part.QueueTab), { loading }),
  rotation: dynamic(() => import("./rotation-tab.tsx").then((part) => part.RotationTab), { loading }),
} as Record<TabName, () => ReactNode>;

const TAB_NAMES = Object.keys(TAB_LABELS) as TabName[];

export function AdminScreen() {
  const { values, change } = useUrlValues({ tab: "overview" });
  const tab = TAB_NAMES.find((name) => name === values.tab) ?? "overview";
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Admin" back={{ href: "/dashboard", label: "Back" }} />
      <QuickActions />
      <Tabs
        label="Admin console"
        value={tab}
        onChange={(next) => change({ tab: next })}
        tabs={TAB_NAMES.map((value) => {
          const Content = CONTENT[value];
          return { value, label: TAB_LABELS[value], content: <Content /> };
        })}
      />
    </div>
  );
}
