import type { ReactElement } from "react";
import { render } from "react-email";

export interface Mail {
  subject: string;
  html: string;
  text: string;
}

/** A mail in both of its forms, from one source. */
export async function toMail(subject: string, element: ReactElement): Promise<Mail> {
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })]);
  return { subject, html, text };
}
