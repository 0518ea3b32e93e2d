import type { ReactNode } from "react";
import { SignedInFrame } from "../_ui/signed-in-frame.tsx";

export default function TraderLayout({ children }: { children: ReactNode }) {
  return <SignedInFrame>{children}</SignedInFrame>;
}
