import type { Metadata } from "next";
import { mayConnectAtAlpaca, requireTrader } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../_ui/page-content.tsx";
import { AlpacaKeysScreen } from "./alpaca-keys-screen.tsx";

export const metadata: Metadata = { title: "Alpaca Keys" };

export default async function Page() {
  await requireTrader("/alpaca-keys");
  return (
    <PageContent>
      <AlpacaKeysScreen canConnect={await mayConnectAtAlpaca()} />
    </PageContent>
  );
}
