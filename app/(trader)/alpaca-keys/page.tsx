import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { AlpacaKeysScreen } from "./alpaca-keys-screen.tsx";

export const metadata: Metadata = { title: "Alpaca Keys" };

export default async function Page() {
  await requireUser("/alpaca-keys");
  return <AlpacaKeysScreen />;
}
