import type { Locator } from "@playwright/test";

/** A colour as it is painted, however the style names it: red, green, blue from 0 to 255. */
export async function paintedColour(
  of: Locator,
  property: "color" | "border-top-color",
): Promise<{ red: number; green: number; blue: number }> {
  const [red = 0, green = 0, blue = 0] = await of.evaluate((node, name) => {
    const context = document.createElement("canvas").getContext("2d");
    if (!context) return [];
    context.fillStyle = window.getComputedStyle(node).getPropertyValue(name);
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  }, property);
  return { red, green, blue };
}
