import type { Metadata } from "next";
import { PageContent } from "../../../../_ui/page-content.tsx";
import { SymbolScreen } from "../symbol-screen.tsx";

export const metadata: Metadata = { title: "A symbol" };

export default async function Page({ params }: { params: Promise<{ symbol: string }> }) {
  const { symbol } = await params;
  return (
    <PageContent>
      <SymbolScreen symbol={decodeURIComponent(symbol)} />
    </PageContent>
  );
}
