/** Where the API's calls go: an address or a path that ends in /api/v1. Chosen, and checked, when the product is built (scripts/build.mjs). */
// oxlint-disable-next-line no-restricted-properties -- replaced by its text when the code is built
export const API_BASE = process.env.NEXT_PUBLIC_API_BASE || "/api/v1";
