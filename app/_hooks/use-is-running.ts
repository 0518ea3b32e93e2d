"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** Whether the browser runs the page: what the server made stands there earlier, and a click on it would be lost. */
export const useIsRunning = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
