import type { Metadata } from "next";
import { VerifyScreen } from "./verify-screen.tsx";

/** The tokens must not travel on in a Referer header. */
export const metadata: Metadata = { title: "Email verification", referrer: "no-referrer" };

export default async function VerifyPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token, verified, reset } = await searchParams;
  return <VerifyScreen token={textOf(token)} isVerified={verified === "true"} resetToken={textOf(reset)} />;
}

const textOf = (value: string | string[] | undefined) => (typeof value === "string" && value !== "" ? value : null);
