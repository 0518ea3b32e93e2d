import type { ReactElement } from "react";
import { render } from "react-email";

export interface Mail {
  subject: string;
  html: string;
  text: string;
}

/** Names as they are written, and the cells of a line below each other without a gap (rows.tsx). */
const PLAIN = {
  selectors: [
    ...["h1", "h2", "h3"].map((selector) => ({ selector, format: "heading", options: { uppercase: false } })),
    { selector: "p.cell", format: "paragraph", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: "table.line", format: "block", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  ],
};

/** A mail in both of its forms, from one source. */
export async function toMail(subject: string, element: ReactElement): Promise<Mail> {
  const [html, text] = await Promise.all([
    render(element),
    render(element, { plainText: true, htmlToTextOptions: PLAIN }),
  ]);
  return { subject, html, text };
}
