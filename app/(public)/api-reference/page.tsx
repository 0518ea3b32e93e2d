import type { Metadata } from "next";
import { callsByGroup } from "./document.ts";

export const metadata: Metadata = { title: "API", alternates: { canonical: "/api-reference" } };

/** Every call in one list; each leads to what it takes and answers. */
export default function ApiReferencePage() {
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-4 sm:px-6 sm:pt-8">
      <h1 className="text-3xl font-semibold tracking-tight">API</h1>
      <div className="mt-4 flex max-w-[70ch] flex-col gap-3 leading-relaxed">
        <p>
          Every page of Tradewind reads and acts through the calls below, all under <code>/api/v1</code>. Every answer
          is an object with <code>success</code>, <code>data</code> and <code>error</code>; an error is a sentence for a
          person.
        </p>
        <p>
          Programs send an access token, <code>Authorization: Bearer twp_…</code>, which you make under Settings,
          Security. The scope READ reads your own data; STEER can also pause and resume automation, sell positions,
          tighten stops and save trading preferences. Each call says which scope it needs. All other calls need the
          token that <code>POST /auth/login</code> returns.
        </p>
        <p>
          Amounts are numbers in US dollars, and times are ISO 8601 in UTC. The times of an account are in its
          market&apos;s time; the practice market has its own clock, which is not the time of day.
        </p>
        <p>
          {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- no page */}
          <a href="/api/v1/openapi.json" className="font-medium text-accent underline underline-offset-4">
            OpenAPI 3.1 document
          </a>{" "}
          <span className="text-muted">for programs and client generators.</span>
        </p>
      </div>
      {[...callsByGroup()].map(([group, calls]) => (
        <section key={group} aria-labelledby={`group-${group}`} className="mt-10">
          <h2 id={`group-${group}`} className="text-xl font-semibold tracking-tight">
            {group}
          </h2>
          <ul className="mt-3 divide-y divide-line rounded-xl border border-line bg-surface">
            {calls.map(({ method, path, operation }) => (
              <li key={operation.operationId} className="px-4 py-3">
                <a
                  href={`/api-reference/${group}#${operation.operationId}`}
                  className="rounded-sm font-mono text-sm wrap-anywhere text-accent underline-offset-4 hover:underline"
                >
                  {method} {path}
                </a>
                <p className="mt-1 text-sm text-muted">{operation.summary}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
