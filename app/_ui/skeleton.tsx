/** A block in the shape of what is coming. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={`skeleton ${className}`} />;
}

const ROWS = 8;

/** A list that is coming: its lines, as high as they will be. */
export function SkeletonRows() {
  return (
    <div aria-hidden className="divide-y divide-line">
      {Array.from({ length: ROWS }, (_, row) => (
        <div key={row} className="flex items-center justify-between gap-6 px-4 py-4 sm:px-5">
          <div className="skeleton h-4 w-32 sm:w-40" />
          <div className="skeleton hidden h-4 max-w-md grow sm:block" />
          <div className="skeleton h-4 w-20" />
        </div>
      ))}
    </div>
  );
}

/** Cards that are coming, as high as the ones that they make place for. */
export function SkeletonCard({ className }: { className: string }) {
  return (
    <div aria-hidden className={`rounded-xl border border-line bg-surface p-4 sm:p-5 ${className}`}>
      <div className="skeleton h-4 w-28" />
      <div className="skeleton mt-5 h-6 w-44 max-w-full" />
      <div className="skeleton mt-3 h-4 w-full max-w-sm" />
    </div>
  );
}
