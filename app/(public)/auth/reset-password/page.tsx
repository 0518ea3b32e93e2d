import type { Metadata } from "next";
import { PublicFrame } from "../../../_ui/public-frame.tsx";
import { ResetScreen } from "./reset-screen.tsx";

/** The token of the link must not travel on in a Referer header. */
export const metadata: Metadata = { title: "Reset your password", referrer: "no-referrer" };

export default async function ResetPasswordPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  return (
    <PublicFrame>
      <ResetScreen token={typeof token === "string" && token !== "" ? token : null} />
    </PublicFrame>
  );
}
