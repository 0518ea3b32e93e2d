import type { Metadata } from "next";
import { supportEmail } from "@/lib/server/http/guard.ts";
import { LegalText } from "../../_ui/legal-text.tsx";

export const metadata: Metadata = {
  title: "Privacy Policy",
  description: "What Tradewind collects, why, who receives it, how long it is kept and what you can ask for.",
};

export default async function PrivacyPolicyPage() {
  return <LegalText supportEmail={await supportEmail()} />;
}
