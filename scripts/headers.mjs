/** What every answer carries, pages, data and files alike. What depends on the request is in lib/server/http/headers.ts. */
export const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  // Links in mails hold tokens: no address of ours is sent on, to any site.
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy":
    "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()",
};
