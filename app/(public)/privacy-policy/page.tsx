import type { Metadata } from "next";
import { LegalText } from "../../_ui/legal-text.tsx";
import { PublicFrame } from "../../_ui/public-frame.tsx";

export const metadata: Metadata = { title: "Privacy Policy" };

export default function Page() {
  return (
    <PublicFrame>
      <LegalText />
    </PublicFrame>
  );
}
