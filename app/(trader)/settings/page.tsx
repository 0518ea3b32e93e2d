import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const { role } = await requireUser("/settings");
  const query = new URLSearchParams(await searchParams);
  return (
    <PageContent answers={await pageAnswers("settings", role, query)}>
      <SettingsScreen />
    </PageContent>
  );
}
