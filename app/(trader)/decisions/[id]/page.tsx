import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { DecisionScreen } from "../decision-screen.tsx";

export const metadata: Metadata = { title: "A decision" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  await requireUser(`/decisions/${id}`);
  return <DecisionScreen id={id} />;
}
