/** A symbol that we know how to name, of the broker's list: letters and digits, a share class behind a dot. Warrants, rights and CUSIPs are none. */
export const isStockSymbol = (symbol: string): boolean => /^[A-Z][A-Z0-9.]{0,9}$/.test(symbol);
