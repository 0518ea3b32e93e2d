import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { EarningsScreen } from "./earnings-screen.tsx";

export const metadata: Metadata = { title: "Earnings Watchlist" };

export default function Page() {
  return (
    <PageContent>
      <EarningsScreen />
    </PageContent>
  );
}
