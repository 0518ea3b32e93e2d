import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { AuditScreen } from "./audit-screen.tsx";

export const metadata: Metadata = { title: "Audit" };

export default function Page() {
  return (
    <PageContent>
      <AuditScreen />
    </PageContent>
  );
}
