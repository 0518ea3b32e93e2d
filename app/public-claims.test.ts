/** What the public pages promise is what the product does. */
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Steps } from "./(public)/landing-sections.tsx";

const textOf = (Part: FunctionComponent) =>
  renderToStaticMarkup(createElement(Part))
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ");

it("the landing page calls only those limits the visitor's own that a trader sets; the day's loss is set for everyone", () => {
  const text = textOf(Steps);
  const own = /strategy and limits (.*?): the limits are yours\./.exec(text)?.[1];
  expect(own).toBe(
    "Momentum, mean reversion or breakout. How much per trade, how many positions, at what gain or loss a position is sold",
  );
  expect(text).toContain("Buying also stops for the day after too large a loss.");
});
