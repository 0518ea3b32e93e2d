/** What the public pages promise is what the product does. */
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { newSignInMail } from "../emails/new-sign-in.tsx";
import { Safety, Steps } from "./(public)/landing-sections.tsx";
import { About } from "./(public)/learn-more/about.tsx";
import { DECISION, ProductPicture } from "./(public)/product-picture.tsx";

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

it("the pictures of the landing page agree: what was bought follows from the settings shown beside it", () => {
  const [steps, hero] = [textOf(Steps), textOf(ProductPicture)];
  const { quantity, limitPrice, stopPrice, targetPrice } = DECISION;
  const shown = (pattern: RegExp) => Number(pattern.exec(steps)?.[1]?.replace(",", ""));
  const orderSize = shown(/Default Order Size \$([\d,.]+)/);
  expect(quantity).toBe(Math.floor(orderSize / limitPrice));
  expect(stopPrice).toBe(Math.floor(limitPrice * (100 - shown(/Stop Loss ([\d.]+) %/))) / 100);
  expect(targetPrice).toBe(Math.round(limitPrice * (100 + shown(/Profit Target ([\d.]+) %/))) / 100);
  const places = shown(/Max Positions (\d+)/);
  expect(hero).toContain(`The 7th of ${places} places`);
  expect(hero).toContain(`All ${places} places are taken`);
});

it("the about page says that the Top-50 is made once a trading day, and that only the other steps are repeated", () => {
  const text = textOf(() => createElement(About, { isSignedIn: false }));
  expect(text).toContain(
    "Once a trading day Tradewind chooses the stocks to look at. It then goes through the other three steps every few minutes.",
  );
  expect(text).toContain(
    "Screen Once a trading day stocks are filtered, scored and ranked. The best fifty make up the Top-50.",
  );
});

it("a changed password is said to end every other sign-in: the one that changed it continues", async () => {
  expect(textOf(() => createElement(About, { isSignedIn: false }))).toContain(
    "Changing your password ends every other sign-in at once.",
  );
  const mail = await newSignInMail({
    firstName: "Tessa",
    device: null,
    ipAddress: null,
    signedInAt: "2026-11-21T12:00:00.000Z",
    link: "https://tradewind.example/settings",
    supportEmail: "support@tradewind.example",
  });
  expect(mail.text.replace(/\s+/g, " ")).toContain("change your password now: that ends every other sign-in.");
});

it("of brokerage keys the public pages say what the list of accounts shows: never the secret, of the key its first 8 characters", () => {
  expect(textOf(Safety)).toContain(
    "Encrypted with AES-256-GCM before they are stored; the secret is never shown again.",
  );
  expect(textOf(() => createElement(About, { isSignedIn: false }))).toContain(
    "The secret is never shown again, not even to you; the list of your accounts shows the first 8 characters of the key.",
  );
});

it.each([
  [false, ["/auth?view=register", "/auth", "/"]],
  [true, ["/dashboard", "/"]],
])("the about page offers a sign-in to those alone who have none (signed in: %s)", (isSignedIn, links) => {
  const html = renderToStaticMarkup(createElement(About, { isSignedIn }));
  expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(links);
});
