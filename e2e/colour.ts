import type { Locator } from "@playwright/test";

type Property = "color" | "background-color" | "border-top-color";

/** A colour as it is painted, however the style names it: red, green, blue from 0 to 255. */
export async function paintedColour(
  of: Locator,
  property: Property,
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

/** The hues, in degrees, that people call by a word of the specification. */
const HUES = [
  [20, "red"],
  [70, "yellow"],
  [170, "green"],
  [255, "blue"],
  [330, "purple"],
  [360, "red"],
] as const;

/** What people call the painted colour. */
export async function colourName(of: Locator, property: Property = "color"): Promise<string> {
  const { red, green, blue } = await paintedColour(of, property);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const chroma = most - least;
  if (chroma < 50) return "grey";
  const sixth =
    most === red ? (green - blue) / chroma : most === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma;
  const hue = (60 * sixth + 360) % 360;
  return HUES.find(([end]) => hue < end)?.[1] ?? "red";
}
