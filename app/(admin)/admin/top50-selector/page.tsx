import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { Top50Screen } from "./top50-screen.tsx";

export const metadata: Metadata = { title: "Top-50 Selector" };

export default function Page() {
  return (
    <PageContent>
      <Top50Screen />
    </PageContent>
  );
}
