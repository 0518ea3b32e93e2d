import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { PerformanceScreen } from "./performance-screen.tsx";

export const metadata: Metadata = { title: "Performance" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const query = new URLSearchParams(await searchParams);
  const { role } = await requireUser("/performance");
  return (
    <PageContent answers={await pageAnswers("performance", role, query)}>
      <PerformanceScreen />
    </PageContent>
  );
}
