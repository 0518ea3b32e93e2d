import type { Metadata } from "next";
import { mayConnectAtAlpaca, requireTrader } from "@/lib/server/http/guard.ts";
import { pageAnswers } from "../../_prefetch/pages.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { AlpacaKeysScreen } from "./alpaca-keys-screen.tsx";

export const metadata: Metadata = { title: "Alpaca Keys" };

export default async function Page() {
  const { role } = await requireTrader("/alpaca-keys");
  return (
    <PageContent answers={await pageAnswers("keys", role)}>
      <AlpacaKeysScreen canConnect={await mayConnectAtAlpaca()} />
    </PageContent>
  );
}
