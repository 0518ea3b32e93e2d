"use client";
import { useSession } from "../../_hooks/use-session.ts";
import { AdminDashboard } from "./admin-dashboard.tsx";
import { TraderDashboard } from "./trader-dashboard.tsx";

export function DashboardScreen() {
  const { user } = useSession();
  if (user === null) return null;
  return user.role === "ADMIN" ? <AdminDashboard /> : <TraderDashboard user={user} />;
}
