import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { NotificationsScreen } from "./notifications-screen.tsx";

export const metadata: Metadata = { title: "Notifications" };

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const query = new URLSearchParams(await searchParams);
  await requireUser(query.size === 0 ? "/notifications" : `/notifications?${query}`);
  return (
    <PageContent>
      <NotificationsScreen />
    </PageContent>
  );
}
