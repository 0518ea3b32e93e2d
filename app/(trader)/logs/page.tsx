import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { LogsScreen } from "./logs-screen.tsx";

export const metadata: Metadata = { title: "Activity & Logs" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const query = new URLSearchParams(await searchParams);
  const { role } = await requireUser("/logs");
  return (
    <PageContent answers={await pageAnswers("logs", role, query)}>
      <LogsScreen />
    </PageContent>
  );
}
