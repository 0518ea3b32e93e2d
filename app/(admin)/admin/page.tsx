import type { Metadata } from "next";
import { currentUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { AdminScreen } from "./admin-screen.tsx";

export const metadata: Metadata = { title: "Admin" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const user = await currentUser();
  const query = new URLSearchParams(await searchParams);
  return (
    <PageContent answers={user === null ? [] : await pageAnswers("overview", user.role, query)}>
      <AdminScreen />
    </PageContent>
  );
}
