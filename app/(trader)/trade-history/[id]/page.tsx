import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { recordAnswers } from "../../../_prefetch/pages.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { TradeScreen } from "../trade-screen.tsx";

export const metadata: Metadata = { title: "A trade" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requireUser(`/trade-history/${id}`);
  return (
    <PageContent answers={await recordAnswers("trade", { id }, role)}>
      <TradeScreen id={id} />
    </PageContent>
  );
}
