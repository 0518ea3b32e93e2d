import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { TradeHistoryScreen } from "./trade-history-screen.tsx";

export const metadata: Metadata = { title: "Trade History" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const query = new URLSearchParams(await searchParams);
  const { role } = await requireUser("/trade-history");
  return (
    <PageContent answers={await pageAnswers("trades", role, query)}>
      <TradeHistoryScreen />
    </PageContent>
  );
}
