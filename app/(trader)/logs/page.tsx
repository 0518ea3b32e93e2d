import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { LogsScreen } from "./logs-screen.tsx";

export const metadata: Metadata = { title: "Activity & Logs" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const query = new URLSearchParams(await searchParams);
  await requireUser(query.size === 0 ? "/logs" : `/logs?${query}`);
  return (
    <PageContent>
      <LogsScreen />
    </PageContent>
  );
}
