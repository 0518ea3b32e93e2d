"use client";
import { useEffect, useState } from "react";
import { Banner } from "../_ui/banner.tsx";

const SHOWN_MS = 5000;

export function VerifiedBanner() {
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? <Banner kind="success">Email verified successfully! You can now log in.</Banner> : null;
}
