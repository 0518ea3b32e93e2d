import type { Locator } from "@playwright/test";
import { nameOfColour, paintedOn, type ColourProperty } from "../lib/proof/screen/colour.ts";

/** A colour as it is painted, however the style names it: red, green, blue from 0 to 255. */
export const paintedColour = (of: Locator, property: ColourProperty) => of.evaluate(paintedOn, property);

/** What people call the painted colour. */
export const colourName = async (of: Locator, property: ColourProperty = "color"): Promise<string> =>
  nameOfColour(await paintedColour(of, property));
