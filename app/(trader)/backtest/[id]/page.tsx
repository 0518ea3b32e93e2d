import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { RunScreen } from "../run-screen.tsx";

export const metadata: Metadata = { title: "A backtest" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/backtest/${id}`);
  return <RunScreen id={id} />;
}
