import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { SecurityScreen } from "./security-screen.tsx";

export const metadata: Metadata = { title: "Sign-in and security" };

export default async function Page() {
  await requireUser("/security");
  return (
    <PageContent>
      <SecurityScreen />
    </PageContent>
  );
}
