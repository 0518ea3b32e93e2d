"use client";
import { Activity, Download, Radio, ScrollText, Settings, Users } from "lucide-react";
import { consoleApi } from "@/lib/contracts/console.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useDownload } from "../../_hooks/use-download.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useIsPhone } from "../../_hooks/use-is-phone.ts";
import { Banner } from "../../_ui/banner.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Button } from "../../_ui/button.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { FoldCard } from "../../_ui/fold.tsx";
import { useState } from "react";

const LINKS = [
  { href: "/logs", label: "View Logs", Icon: ScrollText },
  { href: "/admin/users", label: "Manage Users", Icon: Users },
  { href: "/settings", label: "Settings", Icon: Settings },
  { href: "/admin/system", label: "System", Icon: Activity },
] as const;

const TITLE = "Quick Actions";

/** On every tab of the console: a row above the tabs, on a phone one line until it is asked for. */
export function QuickActions() {
  const isPhone = useIsPhone();
  if (isPhone)
    return (
      <FoldCard title={TITLE}>
        <Actions />
      </FoldCard>
    );
  return (
    <section aria-label={TITLE}>
      <Actions />
    </section>
  );
}

function Actions() {
  const { input } = useEnvironment();
  const reports = useDownload(logsApi.export);
  const test = useAction(consoleApi.testGlobalApis, { refreshes: [consoleApi.metrics, consoleApi.recentActivity] });
  const [found, setFound] = useState<Found | null>(null);
  const ask = () => {
    setFound(null);
    test.run({}, { onSuccess: ({ providers }) => setFound(describeProviders(providers)) });
  };
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {LINKS.map(({ href, label, Icon }) => (
          <ButtonLink key={href} tone="secondary" href={href}>
            <Icon aria-hidden className="size-4" />
            {label}
          </ButtonLink>
        ))}
        <Button tone="secondary" onClick={() => reports.run(input)} disabled={reports.isBusy}>
          <Download aria-hidden className="size-4" />
          {reports.isBusy ? "Preparing reports.zip..." : "Export Reports"}
        </Button>
        <Button onClick={ask} disabled={test.isBusy}>
          <Radio aria-hidden className="size-4" />
          {test.isBusy ? "Testing..." : "Test Global APIs"}
        </Button>
      </div>
      <div className="mt-3 flex flex-col gap-3 empty:hidden">
        {reports.failure !== null && (
          <FailureNote
            text="The reports could not be exported."
            detail={reports.failure.message}
            onRetry={() => reports.run(input)}
          />
        )}
        {test.failure !== null && (
          <FailureNote text="Failed to test the global APIs" detail={test.failure.message} onRetry={ask} />
        )}
        {found !== null && test.failure === null && <Banner kind={found.kind}>{found.text}</Banner>}
      </div>
    </>
  );
}

interface Found {
  kind: "success" | "warning" | "failure";
  text: string;
}

/** "3 of 3 configured providers work." Red where none works, yellow where not all do. */
function describeProviders(providers: readonly { configured: boolean; working: boolean | null }[]): Found {
  const configured = providers.filter((provider) => provider.configured);
  if (configured.length === 0) return { kind: "warning", text: "No provider is configured." };
  const working = configured.filter((provider) => provider.working === true).length;
  const kind = working === configured.length ? "success" : working === 0 ? "failure" : "warning";
  const noun = configured.length === 1 ? "provider" : "providers";
  return { kind, text: `${working} of ${configured.length} configured ${noun} ${working === 1 ? "works" : "work"}.` };
}
