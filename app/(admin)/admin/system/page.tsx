import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { SystemScreen } from "./system-screen.tsx";

export const metadata: Metadata = { title: "System" };

export default function Page() {
  return (
    <PageContent>
      <SystemScreen />
    </PageContent>
  );
}
