type Painted = Record<"red" | "green" | "blue", number>;
export type ColourProperty = "color" | "background-color" | "border-top-color";

/** A colour of an element as it is painted, however the style names it: red, green, blue from 0 to 255. Runs in the page. */
export function paintedOn(node: Element, property: ColourProperty): Painted {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) throw new Error("This browser paints nothing.");
  context.fillStyle = window.getComputedStyle(node).getPropertyValue(property);
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
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

/** What people call a painted colour. */
export function nameOfColour({ red, green, blue }: Painted): string {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const chroma = most - least;
  if (chroma < 50) return "grey";
  const sixth =
    most === red ? (green - blue) / chroma : most === green ? 2 + (blue - red) / chroma : 4 + (red - green) / chroma;
  const hue = (60 * sixth + 360) % 360;
  return HUES.find(([end]) => hue < end)?.[1] ?? "red";
}
