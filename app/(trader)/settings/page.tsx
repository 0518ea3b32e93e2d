import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { SettingsScreen } from "./settings-screen.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  await requireUser("/settings");
  return (
    <PageContent>
      <SettingsScreen />
    </PageContent>
  );
}
