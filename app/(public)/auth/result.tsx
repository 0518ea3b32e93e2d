import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Heading } from "./form-parts.tsx";

interface ResultProps {
  Icon: LucideIcon;
  look: string;
  title: string;
  text: string;
  /** True where it comes in place of a form, and is read out. */
  takesFocus?: boolean;
  children: ReactNode;
}

/** What became of a link: a heading, a sentence and the way on. */
export function Result({ Icon, look, title, text, takesFocus = false, children }: ResultProps) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <Icon aria-hidden className={`size-8 ${look}`} strokeWidth={1.75} />
        <div aria-live="polite">
          <Heading key={title} takesFocus={takesFocus}>
            {title}
          </Heading>
          <p className="mt-2 text-muted">{text}</p>
        </div>
        {children}
      </div>
    </div>
  );
}
