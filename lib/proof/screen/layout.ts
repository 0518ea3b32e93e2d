/** By how many pixels the page is wider than the screen. Runs in the page, as all of this file does. */
export const overflowOfPage = (): number => document.documentElement.scrollWidth - window.innerWidth;

/** Texts that stick out of the card that they stand in, at its right. What scrolls or is cut on purpose does not. */
export function textsStickingOut(): string[] {
  const found: string[] = [];
  for (const card of document.querySelectorAll<HTMLElement>("main section")) {
    const { right } = card.getBoundingClientRect();
    const end = right - Number.parseFloat(getComputedStyle(card).paddingRight) + 1;
    const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      let box = text.parentElement;
      while (box !== null && box !== card && getComputedStyle(box).overflowX === "visible") box = box.parentElement;
      if (box !== card) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      if (range.getBoundingClientRect().right > end) found.push(text.nodeValue ?? "");
    }
  }
  return found;
}
