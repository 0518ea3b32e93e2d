import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { SettingsScreen } from "./settings-screen.tsx";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  await requireUser("/settings");
  return <SettingsScreen />;
}
