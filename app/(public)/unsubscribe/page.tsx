import type { Metadata } from "next";
import { UnsubscribeScreen } from "./unsubscribe-screen.tsx";

/** The token of the link must not travel on in a Referer header, nor the page into a search engine. */
export const metadata: Metadata = {
  title: "Unsubscribe",
  referrer: "no-referrer",
  robots: { index: false, follow: false },
};

export default async function UnsubscribePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  return <UnsubscribeScreen token={typeof token === "string" ? token : ""} />;
}
