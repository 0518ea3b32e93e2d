"use client";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { useSession } from "../../_hooks/use-session.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { Tabs, type Tab } from "../../_ui/tabs.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { NotificationsTab } from "./notifications-tab.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import type { TabProps } from "./save-note.ts";
import { SecurityTab } from "./security-tab.tsx";
import { TradingTab } from "./trading-tab.tsx";
import { useUnsaved } from "./use-unsaved.ts";

type TabName = "profile" | "security" | "notifications" | "trading" | "keys";

const TABS: { value: TabName; label: string; isForTraders?: true; Content: (props: TabProps) => React.ReactNode }[] = [
  { value: "profile", label: "Profile", Content: ProfileTab },
  { value: "security", label: "Security", Content: SecurityTab },
  { value: "notifications", label: "Notifications", Content: NotificationsTab },
  { value: "trading", label: "Trading", isForTraders: true, Content: TradingTab },
  { value: "keys", label: "API Keys", isForTraders: true, Content: KeysTab },
];

export function SettingsScreen() {
  const { user } = useSession();
  const { values, change } = useUrlValues({ tab: "profile" });
  const [note, setNote] = useState<{ kind: "success" | "failure"; text: string } | null>(null);
  const { isUnsaved, setUnsaved } = useUnsaved();
  const [wanted, setWanted] = useState<TabName | null>(null);
  if (!user) return null;

  const own = TABS.filter((tab) => user.role !== "ADMIN" || tab.isForTraders !== true);
  // An administrator on a trader's tab is shown the profile.
  const tab = own.find(({ value }) => value === values.tab)?.value ?? "profile";
  const go = (next: TabName) => {
    setNote(null);
    setUnsaved(false);
    setWanted(null);
    change({ tab: next });
  };
  const tabs: Tab<TabName>[] = own.map(({ value, label, Content }) => ({
    value,
    label,
    content: <Content user={user} onNote={setNote} onUnsaved={setUnsaved} />,
  }));

  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Settings">
        <Button tone="secondary" onClick={() => window.location.reload()}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </PageHead>
      {note !== null && <Banner kind={note.kind}>{note.text}</Banner>}
      <Tabs
        label="Settings"
        tabs={tabs}
        value={tab}
        onChange={(next) => (isUnsaved && next !== tab ? setWanted(next) : go(next))}
      />
      <LeaveDialog
        isOpen={wanted !== null}
        onStay={() => setWanted(null)}
        onLeave={() => wanted !== null && go(wanted)}
      />
    </div>
  );
}
