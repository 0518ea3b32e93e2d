import type { Metadata } from "next";
import { AuthScreen } from "./auth-screen.tsx";

export const metadata: Metadata = { title: "Sign in or create an account" };

/**
 * Who is signed in already is decided by the token in the browser, not by the cookie: a cookie whose
 * token is gone would cause a redirect loop between here and the dashboard.
 */
export default async function AuthPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { from } = await searchParams;
  return <AuthScreen from={typeof from === "string" ? from : null} />;
}
