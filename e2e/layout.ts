import type { Page } from "@playwright/test";
import { overflowOfPage, textsStickingOut } from "../lib/proof/screen/layout.ts";

export const overflowOf = (page: Page): Promise<number> => page.evaluate(overflowOfPage);

export const stickingOut = (page: Page): Promise<string[]> => page.evaluate(textsStickingOut);
