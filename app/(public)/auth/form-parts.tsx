"use client";
import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import type { Sentence } from "./sentences.ts";

/** The heading of a view. It takes the focus when the view comes in place of another, so that it is read out. */
export function Heading({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <h1 ref={heading} tabIndex={-1} className="rounded-sm text-2xl font-semibold tracking-tight">
      {children}
    </h1>
  );
}

/** A view that is a form. Its first empty field takes the focus. */
export function ViewForm({ heading, children, ...rest }: ComponentProps<"form"> & { heading: string }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll("input") ?? [])];
    (fields.find(({ value }) => value === "") ?? fields[0])?.focus();
  }, []);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{heading}</h1>
      <form ref={form} className="mt-6 flex flex-col gap-4" {...rest}>
        {children}
      </form>
    </>
  );
}

/** What was wrong with the form as a whole; what is wrong with a field stands there. */
export function FormFailure({ failure }: { failure: Sentence | null }) {
  if (failure === null || failure.fields !== undefined) return null;
  return (
    <Banner kind="failure" detail={failure.detail}>
      {failure.text}
    </Banner>
  );
}

interface SubmitProps {
  isBusy: boolean;
  busyText: string;
  isDisabled?: boolean;
  children: string;
}

/** While busy it keeps its place, its width and the focus, which a disabled button would lose. */
export function Submit({ isBusy, busyText, isDisabled = false, children }: SubmitProps) {
  return (
    <Button
      type="submit"
      disabled={isDisabled}
      aria-disabled={isBusy}
      className="mt-2 w-full aria-disabled:cursor-progress aria-disabled:opacity-60"
    >
      {isBusy ? busyText : children}
    </Button>
  );
}
