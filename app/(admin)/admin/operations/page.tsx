import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { OperationsScreen } from "./operations-screen.tsx";

export const metadata: Metadata = { title: "Operations" };

export default function Page() {
  return (
    <PageContent>
      <OperationsScreen />
    </PageContent>
  );
}
