/**
 * What the browser keeps between visits: the bearer token and the page a visitor wanted; and for the tab, what the sign-in page has to say.
 * A browser that keeps nothing signs in for this page alone.
 */
const TOKEN = "auth_token";
const ROUTE = "intended_route";
/** An older shape of the token store, removed when found. */
const OBSOLETE = "auth_tokens";
const NOTICE = "auth_notice";

/** Why a person is led to the sign-in page. */
export const SIGN_IN_NOTICES = {
  ended: { kind: "warning", text: "You were signed out because your sign-in has ended. Sign in to continue." },
  verified: { kind: "success", text: "Your email address is verified. Sign in to open your dashboard." },
  reset: { kind: "success", text: "Your password has been changed. Sign in with the new one." },
} as const;
export type SignInNotice = keyof typeof SIGN_IN_NOTICES;
const ENDED: SignInNotice = "ended";

type Store = "localStorage" | "sessionStorage";

/** What the browser did not take: storage that is blocked throws, and so does one that is full. */
const unkept = new Map<string, string>();

function keptIn(store: Store, key: string): string | null {
  try {
    return unkept.get(store + key) ?? window[store].getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. */
function keepIn(store: Store, key: string, value: string | null): void {
  unkept.delete(store + key);
  try {
    if (value === null) window[store].removeItem(key);
    else window[store].setItem(key, value);
  } catch {
    if (value !== null) unkept.set(store + key, value);
  }
}

export function readToken(): string | null {
  return keptIn("localStorage", TOKEN);
}

export function storeToken(token: string): void {
  keepIn("localStorage", TOKEN, token);
}

export function clearToken(): void {
  keepIn("localStorage", TOKEN, null);
  keepIn("localStorage", OBSOLETE, null);
}

/** Calls back when a sign-in or sign-out happened elsewhere: in another tab, or while this page was in the back-forward cache. */
export function onForeignToken(listener: () => void): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === NOTICE && newValue === ENDED) rememberNotice(ENDED);
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
  keepIn("sessionStorage", NOTICE, notice);
}

/** The token is refused: this tab says so on the sign-in page, and so do the others, which learn it before they find the token gone. */
export function dropEndedToken(): void {
  rememberNotice(ENDED);
  keepIn("localStorage", NOTICE, ENDED);
  keepIn("localStorage", NOTICE, null);
  clearToken();
}

/** What the sign-in page has to say; null where nothing. */
export function readNotice(): SignInNotice | null {
  const notice = keptIn("sessionStorage", NOTICE);
  return notice !== null && Object.hasOwn(SIGN_IN_NOTICES, notice) ? (notice as SignInNotice) : null;
}

export function dropNotice(): void {
  keepIn("sessionStorage", NOTICE, null);
}

export function rememberRoute(route: string): void {
  if (isOwnRoute(route)) keepIn("localStorage", ROUTE, route);
}

/** The remembered page, once; /dashboard when there is none. */
export function takeRoute(): string {
  const route = keptIn("localStorage", ROUTE);
  keepIn("localStorage", ROUTE, null);
  return route !== null && isOwnRoute(route) ? route : "/dashboard";
}
