import { TriangleAlert } from "./icons.tsx";

/** Stands on every page that presents the product. */
export function RiskWarning() {
  return (
    <section aria-labelledby="risk" className="rounded-xl border border-warn/40 bg-warn-soft p-5 sm:p-6">
      <h2 id="risk" className="flex items-center gap-2 text-lg font-semibold text-warn">
        <TriangleAlert aria-hidden className="size-5 shrink-0" />
        Risk Warning
      </h2>
      <p className="mt-2 max-w-[75ch]">
        Trading carries substantial risk of loss and is not suitable for everyone. You can lose some or all of the money
        you invest. Past performance does not guarantee future results. Automated trading does not remove these risks.
      </p>
    </section>
  );
}
