import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { slugOf } from "../../scripts/heading-slug.mjs";
import { NAVIGATION } from "../navigation.mjs";

/** README.md of a folder is its index page, so that links to either work. */
const README = /(^|\/)README\.md$/;
const addressOf = (file) => `/${file.replace(README, "$1").replace(/\.md$/, "")}`;

const icon = readFileSync(new URL("../../app/icon.svg", import.meta.url)).toString("base64");

export default defineConfig({
  title: "Tradewind",
  description: "Autonomous stock trading that explains every trade and every non-trade.",
  lang: "en",
  head: [["link", { rel: "icon", href: `data:image/svg+xml;base64,${icon}` }]],
  // The documents stay where the checkout has them: their links are right there and here.
  srcDir: "..",
  srcExclude: ["{app,bench,deploy,e2e,emails,lib,prisma,public,scripts,workers,docs-site}/**", ".*/**", "dist/**"],
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  rewrites: (file) => file.replace(README, "$1index.md"),
  markdown: { anchor: { slugify: slugOf } },
  vite: {
    // What stands at the root of the checkout is of the product.
    publicDir: false,
    css: { postcss: { plugins: [] } },
    build: { target: "es2022" },
  },
  themeConfig: {
    nav: NAVIGATION.map(({ text, items: [first] }) => ({ text, link: addressOf(first.file) })),
    sidebar: NAVIGATION.map(({ text, items }) => ({
      text,
      items: items.map((page) => ({ text: page.text, link: addressOf(page.file) })),
    })),
    outline: [2, 3],
    search: { provider: "local" },
  },
});
