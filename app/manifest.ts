import type { MetadataRoute } from "next";

/** For those who put the site on their home screen. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Tradewind",
    short_name: "Tradewind",
    description: "Autonomous stock trading that explains itself.",
    start_url: "/dashboard",
    display: "standalone",
    background_color: "#f8fafc",
    theme_color: "#0369a1",
    icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml" }],
  };
}
