import type { Metadata } from "next";
import { VerifyScreen } from "./verify-screen.tsx";

/** The token of the link must not travel on in a Referer header. */
export const metadata: Metadata = { title: "Email verification", referrer: "no-referrer" };

export default async function VerifyPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token, verified } = await searchParams;
  return (
    <VerifyScreen token={typeof token === "string" && token !== "" ? token : null} isVerified={verified === "true"} />
  );
}
