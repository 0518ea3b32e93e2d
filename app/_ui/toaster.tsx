"use client";
import { Toaster as Primitive } from "sonner";
import { useTheme } from "../_hooks/use-theme.ts";

/** Above the bottom bar while there is one. */
const ABOVE_THE_BAR = { bottom: "var(--toasts-from)" };

/** Short news that needs no answer, at the bottom; on a wide screen at its right corner. */
export function Toaster() {
  const theme = useTheme();
  return (
    <Primitive
      theme={theme}
      position="bottom-right"
      offset={ABOVE_THE_BAR}
      mobileOffset={ABOVE_THE_BAR}
      className="[--toasts-from:calc(4.5rem+env(safe-area-inset-bottom))] lg:[--toasts-from:1.5rem]"
      // Its own look brings a font of its own.
      style={{ fontFamily: "inherit" }}
      closeButton
    />
  );
}
