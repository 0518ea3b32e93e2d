import { expect } from "@playwright/test";
import { test } from "./test.ts";

/** Compressed JavaScript of the first load. React and the router of Next alone are 132 KiB of it; only a build has these figures. */
const SCRIPT_BYTES = 140 * 1024;
const SHIFT = 0.02;

interface Weight {
  scripts: { name: string; bytes: number }[];
  shift: number;
}

for (const width of [1440, 390]) {
  for (const path of ["/", "/auth"]) {
    test(`${path} is light and stands still at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.addInitScript(() => {
        const seen = window as unknown as { shift: number };
        seen.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
            if (!entry.hadRecentInput) seen.shift += entry.value;
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
      await page.goto(path, { waitUntil: "networkidle" });
      const { scripts, shift } = await page.evaluate((): Weight => {
        const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
        return {
          scripts: loaded
            .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
            .map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize })),
          shift: (window as unknown as { shift: number }).shift,
        };
      });
      expect(scripts.length, "scripts are counted").toBeGreaterThan(3);
      const bytes = scripts.reduce((sum, script) => sum + script.bytes, 0);
      expect(bytes, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(SCRIPT_BYTES);
      expect(shift).toBeLessThanOrEqual(SHIFT);
    });
  }
}
