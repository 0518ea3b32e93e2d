import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

export const metadata: Metadata = { title: "Dashboard" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const { role } = await requireUser("/dashboard");
  const query = new URLSearchParams(await searchParams);
  return (
    <PageContent answers={await pageAnswers("dashboard", role, query)}>
      <DashboardScreen />
    </PageContent>
  );
}
