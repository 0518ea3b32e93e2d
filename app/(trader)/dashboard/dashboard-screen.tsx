"use client";
import dynamic from "next/dynamic";
import { useSession } from "../../_hooks/use-session.ts";
import { TraderDashboard } from "./trader-dashboard.tsx";

/** Few people are administrators: the others' browsers need none of it. */
const AdminDashboard = dynamic(() => import("./admin-dashboard.tsx").then((part) => part.AdminDashboard));

export function DashboardScreen() {
  const { user } = useSession();
  if (user === null) return null;
  return user.role === "ADMIN" ? <AdminDashboard /> : <TraderDashboard user={user} />;
}
