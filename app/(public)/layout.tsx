import type { ReactNode } from "react";
import { supportEmail } from "@/lib/server/http/guard.ts";
import { PublicFrame } from "../_ui/public-frame.tsx";

export default async function PublicLayout({ children }: { children: ReactNode }) {
  return <PublicFrame supportEmail={await supportEmail()}>{children}</PublicFrame>;
}
