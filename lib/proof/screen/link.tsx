// Stands in for next/link around a screen under test: Next's own asks its router for a page, and there is none.
import { useRouter } from "next/navigation";
import type { ComponentProps, MouseEvent } from "react";

type LinkProps = ComponentProps<"a"> & {
  href: string;
  prefetch?: boolean | null;
  replace?: boolean;
  scroll?: boolean;
  onNavigate?: (event: { preventDefault: () => void }) => void;
};

export default function Link({ prefetch: _, scroll: _scroll, replace, onNavigate, onClick, ...anchor }: LinkProps) {
  const router = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || anchor.target === "_blank") return;
    event.preventDefault();
    let isHeld = false;
    onNavigate?.({ preventDefault: () => (isHeld = true) });
    if (!isHeld) router[replace === true ? "replace" : "push"](anchor.href);
  };
  return (
    <a {...anchor} href={anchor.href} onClick={follow}>
      {anchor.children}
    </a>
  );
}
