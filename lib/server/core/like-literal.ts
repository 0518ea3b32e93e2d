/** Text that a person searches for, as it is: "contains" becomes LIKE, where "%" and "_" would stand for any text. */
export const likeLiteral = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);
