import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { DashboardScreen } from "./dashboard-screen.tsx";

export const metadata: Metadata = { title: "Dashboard" };

export default async function Page() {
  await requireUser("/dashboard");
  return (
    <PageContent>
      <DashboardScreen />
    </PageContent>
  );
}
