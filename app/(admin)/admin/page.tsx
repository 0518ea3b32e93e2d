import type { Metadata } from "next";
import { PageContent } from "../../_ui/page-content.tsx";
import { AdminScreen } from "./admin-screen.tsx";

export const metadata: Metadata = { title: "Admin" };

export default function Page() {
  return (
    <PageContent>
      <AdminScreen />
    </PageContent>
  );
}
