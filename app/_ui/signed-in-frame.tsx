"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState, type ReactNode } from "react";
import { CallError } from "@/lib/client/api.ts";
import { rememberRoute } from "@/lib/client/storage.ts";
import { useMarketClock } from "../_hooks/use-market-clock.ts";
import { logout, useSession, type SessionUser } from "../_hooks/use-session.ts";
import { MarketClock } from "./market-clock.tsx";
import { NavBar } from "./nav-bar.tsx";

/** Asks once more when the server could not be reached or failed; a refusal stands. */
const isWorthAnotherTry = (count: number, error: Error) =>
  count < 1 && (!(error instanceof CallError) || error.status === 0 || error.status >= 500);

const newClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: isWorthAnotherTry, retryDelay: 500, networkMode: "always", staleTime: 1000 },
      mutations: { networkMode: "always" },
    },
  });

/** The frame of every signed-in page: waits for the sign-in, sends strangers to /auth, holds the providers. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const [client] = useState(newClient);
  const session = useSession();
  const router = useRouter();
  const path = usePathname();

  useEffect(() => {
    if (session.status !== "signed-out") return;
    rememberRoute(`${path}${window.location.search}`);
    router.replace("/auth");
  }, [session.status, path, router]);

  if (session.status !== "signed-in") {
    const isUnreachable = session.status === "loading" && session.isUnreachable;
    return (
      <div
        role="status"
        className="flex min-h-dvh flex-col items-center justify-center gap-2 px-4 text-center text-sm text-muted"
      >
        <p>Authenticating...</p>
        {isUnreachable && <p>Tradewind could not be reached. Trying again.</p>}
      </div>
    );
  }
  return (
    <QueryClientProvider client={client}>
      <div className="pb-20 text-sm sm:pb-0">
        <BarWithClock user={session.user} />
        <main id="content" tabIndex={-1} className="mx-auto max-w-7xl px-4 py-6 outline-none sm:px-6 sm:py-8">
          {children}
        </main>
      </div>
    </QueryClientProvider>
  );
}

/** Its own part, so that the ticking clock re-renders the bar and not the page. */
function BarWithClock({ user }: { user: SessionUser }) {
  return <NavBar user={user} clock={<TickingClock />} onLogout={() => void logout()} />;
}

function TickingClock() {
  return <MarketClock reading={useMarketClock()} />;
}
