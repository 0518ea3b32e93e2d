import { Fragment } from "react";
import { ChevronDown } from "./icons.tsx";
import { SUPPORT, type Clause, type LegalSection } from "./legal/section.ts";
import { LEGAL_SECTIONS, TERMS_USED } from "./legal/sections.ts";

const EFFECTIVE = { date: "2025-12-01", text: "December 1, 2025" };

/** One text for the privacy policy and the terms of service. */
export function LegalText({ supportEmail }: { supportEmail: string }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-6 sm:px-6 sm:pt-10 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-14 print:block print:max-w-none print:p-0">
      <nav aria-label="Contents" className="hidden lg:block print:hidden">
        <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto">
          <p className="px-2 text-sm font-semibold">Contents</p>
          <Contents className="mt-2" />
        </div>
      </nav>
      <article className="min-w-0 max-w-[70ch] print:max-w-none print:text-[10.5pt]">
        <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">Terms of Service and Privacy Policy</h1>
        <p className="mt-3 text-muted">
          Effective <time dateTime={EFFECTIVE.date}>{EFFECTIVE.text}</time> · Version 1.0
        </p>
        <details className="group mt-6 rounded-xl border border-line bg-surface lg:hidden print:hidden">
          <summary className="flex min-h-11 cursor-pointer items-center justify-between rounded-xl px-4 font-medium">
            Contents
            <ChevronDown aria-hidden className="size-4 text-muted group-open:rotate-180" />
          </summary>
          <nav aria-label="Contents" className="border-t border-line p-2">
            <Contents />
          </nav>
        </details>
        <Preamble supportEmail={supportEmail} />
        {LEGAL_SECTIONS.map((section, index) => (
          <Section key={section.id} section={section} number={index + 1} supportEmail={supportEmail} />
        ))}
      </article>
    </div>
  );
}

function Contents({ className = "" }: { className?: string }) {
  return (
    <ol className={`flex flex-col text-sm ${className}`}>
      {LEGAL_SECTIONS.map(({ id, title }, index) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="grid min-h-9 grid-cols-[1.5rem_1fr] items-center rounded-md px-2 py-1 text-muted hover:bg-sunken hover:text-ink"
          >
            <span className="tabular-nums">{index + 1}.</span>
            {title}
          </a>
        </li>
      ))}
    </ol>
  );
}

function Preamble({ supportEmail }: { supportEmail: string }) {
  return (
    <div className="mt-8 leading-relaxed">
      <p>
        This document is an agreement between you and Tradewind. It is at once the Terms of Service and the Privacy
        Policy of the Services, and each of them is complete only with the other. By creating a user account or by using
        the Services you accept it. If you do not accept it, do not use the Services.
      </p>
      <p className="mt-3 font-medium">
        The Services are not for anyone under 18. Trading carries substantial risk of loss. Section 10 requires most
        disputes to be resolved by binding individual arbitration and waives class actions and jury trials.
      </p>
      <p className="mt-6 text-sm font-semibold">Terms used in this document</p>
      <dl className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
        {TERMS_USED.map(({ term, meaning }) => (
          <div key={term} className="contents">
            <dt className="font-medium max-sm:mt-2">{term}</dt>
            <dd className="text-muted">
              <LinkedText text={meaning} supportEmail={supportEmail} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface SectionProps {
  section: LegalSection;
  number: number;
  supportEmail: string;
}

function Section({ section: { id, title, clauses }, number, supportEmail }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-line pt-8 print:mt-6 print:pt-4">
      <h2 id={id} className="scroll-mt-6 text-xl font-semibold tracking-tight print:break-after-avoid">
        {`${number}. ${title}`}
      </h2>
      {clauses.map((clause, index) => (
        <NumberedClause key={index} clause={clause} number={`${number}.${index + 1}`} supportEmail={supportEmail} />
      ))}
    </section>
  );
}

/** Each clause has an address of its own, so that a letter can point to it: /terms-of-service#clause-4.3. */
function NumberedClause({ clause, number, supportEmail }: { clause: Clause; number: string; supportEmail: string }) {
  const { lead, text, items = [] } = clause;
  return (
    <div
      id={`clause-${number}`}
      className="mt-4 grid scroll-mt-6 grid-cols-[2.75rem_minmax(0,1fr)] leading-relaxed target:rounded-sm target:bg-accent-soft print:break-inside-avoid"
    >
      <a href={`#clause-${number}`} className="h-fit rounded-sm text-muted tabular-nums hover:text-ink hover:underline">
        {number}
      </a>
      <div>
        <p>
          {lead !== undefined && <span className="font-medium">{lead} </span>}
          <LinkedText text={text} supportEmail={supportEmail} />
        </p>
        {items.length > 0 && (
          <ul className="mt-2 list-disc space-y-1.5 pl-5 marker:text-muted">
            {items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The address to write to stands in the words as a link. */
function LinkedText({ text, supportEmail }: { text: string; supportEmail: string }) {
  return text.split(SUPPORT).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <a href={`mailto:${supportEmail}`} className="font-medium text-accent underline underline-offset-4">
          {supportEmail}
        </a>
      )}
      {part}
    </Fragment>
  ));
}
