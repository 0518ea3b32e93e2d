import { dataHeaders } from "./headers.ts";
import { defineMethods, type Handler, type Route } from "./route.ts";

/**
 * The address of a mail's List-Unsubscribe header (RFC 8058). Mail programs send a form to it that says nothing: it is
 * not read, the token is in the address. Programs that know no such button open the address instead, and come to the
 * page that asks first.
 */
export function defineOneClick(route: Route, page: `/${string}`): ReturnType<typeof defineMethods> {
  const toPage: Handler = ({ url }) => {
    const token = new URL(url).searchParams.get("token") ?? "";
    // Without a host: whatever the request claims, the reader stays where the mail has led.
    const location = `${page}?${new URLSearchParams({ token }).toString()}`;
    return Promise.resolve(
      new Response(null, {
        status: 303,
        headers: { ...dataHeaders(), location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
      }),
    );
  };
  return { ...defineMethods(route), GET: toPage, HEAD: toPage };
}
