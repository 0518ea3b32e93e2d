import Link from "next/link";
import type { ComponentProps } from "react";

type Tone = "primary" | "secondary" | "quiet" | "danger";

const TONES: Record<Tone, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  quiet: "text-muted hover:bg-sunken hover:text-ink",
  danger: "bg-loss text-white hover:opacity-90 dark:text-[#1d0a0c]",
};

const BASE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 text-sm font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-60 sm:min-h-10";

export function Button({
  tone = "primary",
  className = "",
  type = "button",
  ...rest
}: ComponentProps<"button"> & { tone?: Tone }) {
  return <button type={type} className={`${BASE} ${TONES[tone]} ${className}`} {...rest} />;
}

export function ButtonLink({
  tone = "primary",
  className = "",
  ...rest
}: ComponentProps<typeof Link> & { tone?: Tone }) {
  return <Link className={`${BASE} ${TONES[tone]} ${className}`} {...rest} />;
}

/** A button that reads as a link, for what changes the view and not the address. */
export function TextButton({ className = "", ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline ${className}`}
      {...rest}
    />
  );
}
