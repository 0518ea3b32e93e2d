import type { Metadata } from "next";
import { currentUser } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../../_prefetch/pages.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { SystemScreen } from "./system-screen.tsx";

export const metadata: Metadata = { title: "System" };

export default async function Page() {
  const user = await currentUser();
  return (
    <PageContent answers={user === null ? [] : await pageAnswers("system", user.role)}>
      <SystemScreen />
    </PageContent>
  );
}
