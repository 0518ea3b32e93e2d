import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { InvariantsScreen } from "./invariants-screen.tsx";

export const metadata: Metadata = { title: "Invariants" };

export default function Page() {
  return (
    <PageContent>
      <InvariantsScreen />
    </PageContent>
  );
}
