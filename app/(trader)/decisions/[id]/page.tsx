import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { DecisionScreen } from "../decision-screen.tsx";

export const metadata: Metadata = { title: "A decision" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/decisions/${id}`);
  return (
    <PageContent>
      <DecisionScreen id={id} />
    </PageContent>
  );
}
