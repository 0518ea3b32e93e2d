import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { siteAddress } from "@/lib/server/http/guard.ts";
import { FirstPaintScript } from "./_ui/first-paint-script.tsx";
import "./globals.css";

/**
 * The package's own export swaps the font in late, which moves what is being read. This one is there at the first paint or not at all,
 * so it is sent for with the page. It holds Latin letters; what a name needs beyond them comes from the system.
 */
const geist = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  display: "optional",
});

const DESCRIPTION =
  "Autonomous stock trading that explains itself: real-time analytics, AI-powered insights and risk management.";

export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: new URL(await siteAddress()),
    title: { default: "Tradewind", template: "%s · Tradewind" },
    description: DESCRIPTION,
    openGraph: { type: "website", siteName: "Tradewind", locale: "en_US", description: DESCRIPTION },
    twitter: { card: "summary_large_image" },
  };
}

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8fafc" },
    { media: "(prefers-color-scheme: dark)", color: "#0b1120" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Reading it renders every page per request, because its nonce is per request.
  const nonce = (await headers()).get("x-nonce") ?? "";
  return (
    <html lang="en" className={geist.variable} suppressHydrationWarning>
      <body className="font-sans antialiased">
        <FirstPaintScript nonce={nonce} />
        {children}
      </body>
    </html>
  );
}
