import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { recordAnswers } from "../../../../_prefetch/pages.ts";
import { PageContent } from "../../../../_ui/page-content.tsx";
import { PositionScreen } from "../../position-screen.tsx";

export const metadata: Metadata = { title: "A position" };

export default async function Page({ params }: { params: Promise<{ accountId: string; symbol: string }> }) {
  const { accountId, symbol: named } = await params;
  const symbol = decodeURIComponent(named).toUpperCase();
  const { role } = await requireUser(`/positions/${accountId}/${encodeURIComponent(symbol)}`);
  return (
    <PageContent answers={await recordAnswers("position", { accountId, symbol }, role)}>
      <PositionScreen accountId={accountId} symbol={symbol} />
    </PageContent>
  );
}
