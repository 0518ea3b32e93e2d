import type { ComponentProps, SyntheticEvent } from "react";

export type Tone = "primary" | "secondary" | "quiet" | "danger";

const TONES: Record<Tone, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink hover:bg-sunken",
  quiet: "text-muted hover:bg-sunken hover:text-ink",
  danger: "bg-loss text-white hover:opacity-90 dark:text-[#1d0a0c]",
};

const BASE =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 text-sm font-medium transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60 sm:min-h-10";

/** What makes a link look like a button, too. */
export const buttonClass = (tone: Tone, className: string) => `${BASE} ${TONES[tone]} ${className}`;

const refuse = (event: SyntheticEvent) => event.preventDefault();

/** One that is disabled keeps the focus: who pressed it by keyboard stays where they are while it works. */
export function Button({
  tone = "primary",
  className = "",
  type = "button",
  disabled = false,
  ...rest
}: ComponentProps<"button"> & { tone?: Tone }) {
  const off = disabled ? { "aria-disabled": true, onClick: refuse } : {};
  return <button type={type} className={buttonClass(tone, className)} {...rest} {...off} />;
}

/** A link of the public pages: it loads its page whole, and Next's link stays out of their code. */
export function PlainButtonLink({ tone = "primary", className = "", ...rest }: ComponentProps<"a"> & { tone?: Tone }) {
  return <a className={buttonClass(tone, className)} {...rest} />;
}

/** A button that reads as a link, for what changes the view and not the address. */
export function TextButton({ className = "", ...rest }: ComponentProps<"button">) {
  return (
    <button
      type="button"
      className={`tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline ${className}`}
      {...rest}
    />
  );
}
