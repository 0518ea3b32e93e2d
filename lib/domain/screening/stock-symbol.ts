/**
 * A symbol that we know how to name, of the broker's list: letters and digits, a share class of one letter behind a dot. Warrants (.WS), rights (.RT), units (.U),
 * preferred and when-issued shares and CUSIPs are none.
 */
export const isStockSymbol = (symbol: string): boolean => /^[A-Z][A-Z0-9]{0,9}(\.[A-TV-Z])?$/.test(symbol);
