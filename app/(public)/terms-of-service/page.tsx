import type { Metadata } from "next";
import { supportEmail } from "@/lib/server/http/guard.ts";
import { LegalText } from "../../_ui/legal-text.tsx";

export const metadata: Metadata = {
  title: "Terms of Service",
  description: "The terms under which Tradewind may be used: risks, responsibilities, availability and governing law.",
};

export default async function TermsOfServicePage() {
  return <LegalText supportEmail={await supportEmail()} />;
}
