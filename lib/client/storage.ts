/** What the browser keeps between visits: the bearer token and the page a visitor wanted. */
const TOKEN = "auth_token";
const ROUTE = "intended_route";
/** An older shape of the token store, removed when found. */
const OBSOLETE = "auth_tokens";

export function readToken(): string | null {
  return window.localStorage.getItem(TOKEN);
}

export function storeToken(token: string): void {
  window.localStorage.setItem(TOKEN, token);
}

export function clearToken(): void {
  window.localStorage.removeItem(TOKEN);
  window.localStorage.removeItem(OBSOLETE);
}

/** Calls back when a sign-in or sign-out happened elsewhere: in another tab, or while this page was in the back-forward cache. */
export function onForeignToken(listener: () => void): void {
  window.addEventListener("storage", ({ key }) => {
    if (key === TOKEN || key === null) listener();
  });
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) listener();
  });
}

export function dropObsoleteTokens(): void {
  window.localStorage.removeItem(OBSOLETE);
}

/** Only paths of this site: never another origin, never the sign-in page itself. Browsers skip tabs and line ends in addresses. */
function isOwnRoute(route: string): boolean {
  return /^\/(?![/\\])[^\t\n\r]*$/.test(route) && !/^\/auth(?:[/?#]|$)/.test(route);
}

export function rememberRoute(route: string): void {
  if (isOwnRoute(route)) window.localStorage.setItem(ROUTE, route);
}

/** The remembered page, once; /dashboard when there is none. */
export function takeRoute(): string {
  const route = window.localStorage.getItem(ROUTE);
  window.localStorage.removeItem(ROUTE);
  return route !== null && isOwnRoute(route) ? route : "/dashboard";
}
