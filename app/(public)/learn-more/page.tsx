import type { Metadata } from "next";
import { currentUser } from "@/lib/server/http/guard.ts";
import { About } from "./about.tsx";

export const metadata: Metadata = {
  title: "About",
  alternates: { canonical: "/learn-more" },
  description:
    "How Tradewind trades autonomously, how it keeps brokerage keys safe, how it compares with traditional platforms, and what its AI does and does not do.",
};

export default async function LearnMorePage() {
  // The page stands without it: who is signed in may be unknown.
  const user = await currentUser().catch(() => null);
  return <About isSignedIn={user !== null} />;
}
