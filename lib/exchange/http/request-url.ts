/**
 * The address of a request. Clients that join a base and a path by hand double a slash or leave one at the end; both mean
 * the same place. Throws a TypeError where there is no address in it.
 */
export function requestUrl(raw: string | undefined): URL {
  const url = new URL((raw ?? "/").replace(/^\/+/, "/"), "http://exchange");
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
  return url;
}
