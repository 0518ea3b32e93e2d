import type { Metadata } from "next";
import { hasDemo } from "@/lib/server/http/guard.ts";
import { DemoScreen } from "./demo-screen.tsx";
import { NoDemo } from "./no-demo.tsx";

export const metadata: Metadata = { title: "Live demo", alternates: { canonical: "/demo" } };

export default async function DemoPage() {
  return (await hasDemo()) ? <DemoScreen /> : <NoDemo />;
}
