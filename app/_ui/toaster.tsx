"use client";
import { Toaster as Primitive } from "sonner";
import { useTheme } from "../_hooks/use-theme.ts";

/** Short news that needs no answer: above the bottom navigation on a phone, at the right corner else. */
export function Toaster() {
  const theme = useTheme();
  return <Primitive theme={theme} position="bottom-right" mobileOffset={{ bottom: 72 }} closeButton />;
}
