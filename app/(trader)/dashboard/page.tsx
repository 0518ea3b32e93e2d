import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { DashboardScreen } from "./dashboard-screen.tsx";

export const metadata: Metadata = { title: "Dashboard" };

export default async function Page() {
  await requireUser("/dashboard");
  return <DashboardScreen />;
}
