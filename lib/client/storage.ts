/** What the browser keeps between visits: the bearer token and the page a visitor wanted; and for the tab, what the sign-in page has to say. */
const TOKEN = "auth_token";
const ROUTE = "intended_route";
/** An older shape of the token store, removed when found. */
const OBSOLETE = "auth_tokens";
const NOTICE = "auth_notice";

/** Why a person is led to the sign-in page. */
export const SIGN_IN_NOTICES = {
  ended: "You were signed out because your sign-in has ended. Sign in to go on.",
  verified: "Your email address is verified. Sign in to open your dashboard.",
  reset: "Your password has been changed. Sign in with the new one.",
} as const;
type SignInNotice = keyof typeof SIGN_IN_NOTICES;

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

/** Only paths of this site: never another origin, never the sign-in page itself. Browsers skip tabs and line ends in addresses. */
function isOwnRoute(route: string): boolean {
  return /^\/(?![/\\])[^\t\n\r]*$/.test(route) && !/^\/auth(?:[/?#]|$)/.test(route);
}

/** Says something on the sign-in page when this tab gets there. */
export function rememberNotice(notice: SignInNotice): void {
  window.sessionStorage.setItem(NOTICE, notice);
}

/** What the sign-in page has to say; null where nothing. */
export function readNotice(): string | null {
  const notice = window.sessionStorage.getItem(NOTICE);
  return notice !== null && Object.hasOwn(SIGN_IN_NOTICES, notice) ? SIGN_IN_NOTICES[notice as SignInNotice] : null;
}

export function dropNotice(): void {
  window.sessionStorage.removeItem(NOTICE);
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
