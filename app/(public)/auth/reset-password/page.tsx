import type { Metadata } from "next";
import { ResetScreen } from "./reset-screen.tsx";

/** The token of the link must not travel on in a Referer header. */
export const metadata: Metadata = { title: "Reset your password", referrer: "no-referrer" };

export default async function ResetPasswordPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  return <ResetScreen token={typeof token === "string" && token !== "" ? token : null} />;
}
