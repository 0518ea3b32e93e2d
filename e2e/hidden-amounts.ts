import type { Page } from "@playwright/test";

/** Texts with an amount of money that can be read on the screen, tooltips with one included. */
export const legible = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const money = /\$\s?\d|\d USD/;
    const isSeen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    };
    const isCovered = (element: Element) =>
      getComputedStyle(element).getPropertyValue("-webkit-text-security") === "disc";
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || element.closest("script, style") || isCovered(element) || !isSeen(element)) continue;
      // An amount may be cut into nodes: "$" and "5.00".
      const around = element.textContent ?? "";
      if (money.test(node.textContent ?? "") || (element.children.length === 0 && money.test(around)))
        found.push(around.slice(0, 120));
    }
    for (const element of document.querySelectorAll("[title]"))
      if (money.test(element.getAttribute("title") ?? "") && isSeen(element))
        found.push(`title: ${element.getAttribute("title")}`);
    return found;
  });

export const amounts = (page: Page) => page.locator(".amount:visible");

/** Hides amounts in this browser: on the page that is open, as another tab does it, and from then on. */
export const hideAmounts = (page: Page) =>
  page.evaluate(() => {
    const key = "amounts_hidden";
    window.localStorage.setItem(key, "true");
    window.dispatchEvent(new StorageEvent("storage", { key }));
  });
