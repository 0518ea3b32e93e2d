/**
 * Stands in for lib/domain/decimal.ts in the browser's build (next.config.mjs), as no-schemas.ts does for zod: the contracts name
 * the decimals that their schemas make, and only the server makes them. Screens get numbers and show them. What is defined from
 * decimals goes through; computing with one fails loudly.
 */
const refuse = () => {
  throw new Error("Decimals are made on the server: a screen shows the numbers that it is given.");
};

const decimal: unknown = new Proxy({}, { get: refuse });

export const Decimal: unknown = Object.assign(function Decimal() {}, {
  ZERO: decimal,
  of: () => decimal,
  nearest: () => decimal,
});
