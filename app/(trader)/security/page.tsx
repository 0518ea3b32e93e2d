import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { SecurityScreen } from "./security-screen.tsx";

export const metadata: Metadata = { title: "Sign-in and security" };

export default async function Page() {
  const { role } = await requireUser("/security");
  return (
    <PageContent answers={await pageAnswers("security", role)}>
      <SecurityScreen />
    </PageContent>
  );
}
