import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { recordAnswers } from "../../../../_prefetch/pages.ts";
import { PageContent } from "../../../../_ui/page-content.tsx";
import { WeekScreen } from "../../week-screen.tsx";

export const metadata: Metadata = { title: "A week" };

interface PageProps {
  params: Promise<{ week: string }>;
  searchParams: Promise<Record<string, string>>;
}

export default async function Page({ params, searchParams }: PageProps) {
  const week = decodeURIComponent((await params).week);
  const query = new URLSearchParams(await searchParams);
  const path = `/performance/week/${encodeURIComponent(week)}`;
  const { role } = await requireUser(path);
  return (
    <PageContent answers={await recordAnswers("week", { week }, role, query)}>
      <WeekScreen week={week} />
    </PageContent>
  );
}
