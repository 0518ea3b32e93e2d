// Next's router around a screen under test: the address is that of the test's own window, and another page's address opens no page.
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { startTransition, useEffect, useMemo, useState, type ReactNode } from "react";

const history = window.history;
const write = {
  pushState: History.prototype.pushState.bind(history),
  replaceState: History.prototype.replaceState.bind(history),
};
const listeners = new Set<() => void>();

/** `/logs?tab=audit` */
const current = () => `${window.location.pathname}${window.location.search}`;
const tell = () => {
  for (const listener of listeners) listener();
};

/** As Next does it: what a page writes into the history reaches the hooks. */
for (const name of ["pushState", "replaceState"] as const)
  history[name] = (...args) => {
    write[name](...args);
    tell();
  };
window.addEventListener("popstate", tell);

const router: AppRouterInstance = {
  back: () => history.back(),
  forward: () => history.forward(),
  refresh: () => {},
  prefetch: () => {},
  push: (href) => history.pushState(null, "", href),
  replace: (href) => history.replaceState(null, "", href),
  bfcacheId: "test",
};

export function standAt(address: string): void {
  write.replaceState(null, "", address);
}

export function Router({ children }: { children: ReactNode }) {
  const [address, setAddress] = useState(current);
  useEffect(() => {
    const follow = () => startTransition(() => setAddress(current()));
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
  const { pathname, search } = new URL(address, window.location.origin);
  const query = useMemo(() => new URLSearchParams(search), [search]);
  return (
    <AppRouterContext value={router}>
      <PathnameContext value={pathname}>
        <SearchParamsContext value={query}>{children}</SearchParamsContext>
      </PathnameContext>
    </AppRouterContext>
  );
}
