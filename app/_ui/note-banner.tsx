"use client";
import { useEffect, useRef } from "react";
import { Banner } from "./banner.tsx";
import { AmountsText } from "./money.tsx";

interface NoteBannerProps {
  kind: "success" | "failure" | "warning";
  text: string;
  detail?: string | undefined;
}

/** What an action on the page came to, above the page: brought into view, as the button may be a screen below it. */
export function NoteBanner({ kind, text, detail }: NoteBannerProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
  }, [kind, text, detail]);
  return (
    <div ref={place} className="scroll-my-4">
      <Banner kind={kind} detail={detail}>
        <AmountsText text={text} />
      </Banner>
    </div>
  );
}
