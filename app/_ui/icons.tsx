import type { ComponentProps } from "react";

/**
 * Lucide's drawings (ISC licence) for what stands on public pages, each as one path. Its library draws them in the browser, and
 * brings its code along. Marked as pure, so that a page gets those that it shows.
 */
function drawn(path: string) {
  return function Icon(props: ComponentProps<"svg">) {
    return (
      <svg
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        {...props}
      >
        <path d={path} />
      </svg>
    );
  };
}

const RING = "M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0";

export const CircleAlert = /* @__PURE__ */ drawn(`${RING}M12 8v4M12 16h.01`);
export const CircleCheck = /* @__PURE__ */ drawn(`${RING}M16 9l-5.5 5.5L8 12`);
export const TriangleAlert = /* @__PURE__ */ drawn(
  "m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01",
);
export const Moon = /* @__PURE__ */ drawn(
  "M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268c.344-.215.825-.004.803.401",
);
export const Sun = /* @__PURE__ */ drawn(
  "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07 4.93l-1.41 1.41",
);
export const Eye = /* @__PURE__ */ drawn(
  "M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0M15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0",
);
export const EyeOff = /* @__PURE__ */ drawn(
  "M10.733 5.076a10.744 10.744 0 0 1 11.205 6.575 1 1 0 0 1 0 .696 10.747 10.747 0 0 1-1.444 2.49M14.084 14.158a3 3 0 0 1-4.242-4.242M17.479 17.499a10.75 10.75 0 0 1-15.417-5.151 1 1 0 0 1 0-.696 10.75 10.75 0 0 1 4.446-5.143M2 2l20 20",
);
export const Check = /* @__PURE__ */ drawn("M20 6 9 17l-5-5");
export const Cross = /* @__PURE__ */ drawn("M18 6 6 18M6 6l12 12");
export const ChevronDown = /* @__PURE__ */ drawn("m6 9 6 6 6-6");
export const ChartNoAxesCombined = /* @__PURE__ */ drawn(
  "M12 16v5M16 14.639V21M20 10.656V21M22 3l-8.646 8.646a.5.5 0 0 1-.708 0L9.354 8.354a.5.5 0 0 0-.707 0L2 15M4 18.463V21M8 14.656V21",
);
export const Lightbulb = /* @__PURE__ */ drawn(
  "M15 14c.2-1 .7-1.7 1.5-2.5 1-.9 1.5-2.2 1.5-3.5A6 6 0 0 0 6 8c0 1 .2 2.2 1.5 3.5.7.7 1.3 1.5 1.5 2.5M9 18h6M10 22h4",
);
export const ShieldCheck = /* @__PURE__ */ drawn(
  "M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4",
);
