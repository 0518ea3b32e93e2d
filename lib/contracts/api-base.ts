/** Where the API's calls go: an address or a path that ends in /api/v1. Chosen when the product is built (docs/configuration.md). */
// oxlint-disable-next-line no-restricted-properties -- replaced by its text when the code is built
export const API_BASE = (process.env.NEXT_PUBLIC_API_BASE || "/api/v1").replace(/\/$/, "");

/** The origin of the API where it is named; null where it is that of the pages. */
export const API_ORIGIN = URL.canParse(API_BASE) ? new URL(API_BASE).origin : null;
