import type { Metadata } from "next";
import { requireTrader } from "@/lib/server/http/guard.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { ConnectScreen } from "./connect-screen.tsx";

/** The code in the address must not travel on in a Referer header. */
export const metadata: Metadata = { title: "Connect with Alpaca", referrer: "no-referrer" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Where Alpaca sends the person back to. */
export default async function Page({ searchParams }: PageProps) {
  await requireTrader("/alpaca-keys/connect");
  const { state, code, error } = await searchParams;
  const one = (value: string | string[] | undefined) => (typeof value === "string" && value !== "" ? value : null);
  return (
    <PageContent>
      <ConnectScreen state={one(state)} code={one(code)} error={one(error)} />
    </PageContent>
  );
}
