"use client";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { leaveBy, useLeaveGuard } from "../../_hooks/use-leave-guard.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { LeaveDialog } from "../../_ui/leave-dialog.tsx";
import { NoteBanner } from "../../_ui/note-banner.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { Tabs, type Tab } from "../../_ui/tabs.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { NotificationsTab } from "./notifications-tab.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import type { Note, TabProps } from "./save-note.ts";
import { SecurityTab } from "./security-tab.tsx";
import { TradingTab } from "./trading-tab.tsx";
import { usePreferences } from "./use-preferences.ts";

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
  return user ? <Settings user={user} /> : null;
}

function Settings({ user }: Pick<TabProps, "user">) {
  const preferences = usePreferences(user.role);
  const { values, change } = useUrlValues({ tab: "profile" });
  const [tabNote, setTabNote] = useState<{ of: TabName; note: Note | null } | null>(null);
  const [isUnsaved, setUnsaved] = useState(false);
  const guard = useLeaveGuard(isUnsaved);

  const own = TABS.filter((tab) => user.role !== "ADMIN" || tab.isForTraders !== true);
  // An administrator on a trader's tab is shown the profile.
  const tab = own.find(({ value }) => value === values.tab)?.value ?? "profile";
  // A link may change the tab, too: messages of the previous tab are cleared.
  const note = tabNote?.of === tab ? tabNote.note : null;
  const tabs: Tab<TabName>[] = own.map(({ value, label, Content }) => ({
    value,
    label,
    content: (
      <Content
        user={user}
        preferences={preferences}
        onNote={(next) => setTabNote({ of: value, note: next })}
        onUnsaved={setUnsaved}
      />
    ),
  }));

  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Settings">
        <Button tone="secondary" onClick={() => leaveBy(() => window.location.reload())}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </PageHead>
      {note !== null && <NoteBanner {...note} />}
      <Tabs
        label="Settings"
        tabs={tabs}
        value={tab}
        onChange={(next) =>
          leaveBy(() => {
            setTabNote(null);
            change({ tab: next });
          })
        }
      />
      <LeaveDialog isOpen={guard.isAsking} onStay={guard.stay} onLeave={guard.leave} />
    </div>
  );
}
