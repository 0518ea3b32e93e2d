"use client";

interface ShowMoreProps {
  isWhole: boolean;
  onToggle: () => void;
  /** What pressing shows, while it is not. */
  text: string;
  className?: string;
}

/** Shows the rest of a list that begins short. */
export function ShowMore({ isWhole, onToggle, text, className = "" }: ShowMoreProps) {
  return (
    <button
      type="button"
      aria-expanded={isWhole}
      onClick={onToggle}
      className={`mt-1 min-h-11 rounded-sm text-sm font-medium text-accent ${className}`}
    >
      {isWhole ? "Show less" : text}
    </button>
  );
}
