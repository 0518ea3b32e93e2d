import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonClass, type Tone } from "./button.tsx";

/** A link of the signed-in pages that looks like a button. Apart from the buttons, so that public pages do without Next's link. */
export function ButtonLink({
  tone = "primary",
  className = "",
  ...rest
}: ComponentProps<typeof Link> & { tone?: Tone }) {
  return <Link className={buttonClass(tone, className)} {...rest} />;
}
