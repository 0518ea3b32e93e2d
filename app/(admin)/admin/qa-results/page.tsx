import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { QaScreen } from "./qa-screen.tsx";

export const metadata: Metadata = { title: "QA Results" };

export default function Page() {
  return (
    <PageContent>
      <QaScreen />
    </PageContent>
  );
}
