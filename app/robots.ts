import type { MetadataRoute } from "next";

/** The public pages may be found; what lies behind the sign-in, and links of mails, need not be asked for. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: "*",
      allow: "/",
      disallow: [
        "/api/",
        "/auth/verify-success",
        "/auth/reset-password",
        "/dashboard",
        "/alpaca-keys",
        "/trade-history",
        "/settings",
        "/notifications",
        "/security",
        "/logs",
        "/admin",
      ],
    },
  };
}
