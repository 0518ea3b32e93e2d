import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { TradeScreen } from "../trade-screen.tsx";

export const metadata: Metadata = { title: "A trade" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/trade-history/${id}`);
  return (
    <PageContent>
      <TradeScreen id={id} />
    </PageContent>
  );
}
