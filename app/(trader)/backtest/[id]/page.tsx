import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { RunScreen } from "../run-screen.tsx";

export const metadata: Metadata = { title: "A backtest" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/backtest/${id}`);
  return (
    <PageContent>
      <RunScreen id={id} />
    </PageContent>
  );
}
