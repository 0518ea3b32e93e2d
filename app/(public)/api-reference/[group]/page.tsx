import type { Metadata } from "next";
import { redirect } from "next/navigation";
import type { JsonSchema } from "@/lib/contracts/openapi.ts";
import { rowsOf, type SchemaRow } from "@/lib/contracts/schema-rows.ts";
import { currentUser } from "@/lib/server/http/guard.ts";
import { type Call, callsByGroup } from "../document.ts";

interface Props {
  params: Promise<{ group: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { group } = await params;
  return { title: `API: ${group}`, alternates: { canonical: `/api-reference/${group}` } };
}

/** What each call of a group takes and answers. */
export default async function ApiGroupPage({ params }: Props) {
  const { group } = await params;
  const calls = callsByGroup().get(group);
  if (calls === undefined) redirect((await currentUser()) === null ? "/" : "/dashboard");
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-4 sm:px-6 sm:pt-8">
      {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a whole page, as all links of the public pages */}
      <a href="/api-reference" className="rounded-sm text-sm text-accent underline-offset-4 hover:underline">
        All calls
      </a>
      <h1 className="mt-2 text-3xl font-semibold tracking-tight">API: {group}</h1>
      <div className="mt-6 flex flex-col gap-8">
        {calls.map((call) => (
          <Described key={call.operation.operationId} call={call} />
        ))}
      </div>
    </div>
  );
}

function Described({ call: { method, path, operation } }: { call: Call }) {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const inPath = parameters.map(({ name, schema, required, in: place }) => ({
    ...rowsOf({ type: "object", properties: { [name]: schema }, ...(required ? { required: [name] } : {}) })[0]!,
    path: `${name} (${place})`,
  }));
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const answer = answerOf(responses["200"]);
  return (
    <section aria-labelledby={operationId} className="rounded-xl border border-line bg-surface p-5">
      <h2 id={operationId} className="scroll-mt-4 font-mono text-base font-semibold wrap-anywhere">
        {method} {path}
      </h2>
      <p className="mt-2">{summary}</p>
      <p className="mt-1 text-sm text-muted">{description}</p>
      <Fields title="Takes" rows={[...inPath, ...(body ? rowsOf(body) : [])]} nothing="Nothing." />
      <Fields
        title="Answers"
        rows={answer === null ? [] : rowsOf(answer)}
        nothing={answer === null ? "A file." : "No fields of its own."}
      />
    </section>
  );
}

interface Success {
  content: Record<string, { schema?: JsonSchema }>;
}

/** The data inside of the envelope; null for a file. */
function answerOf(response: unknown): JsonSchema | null {
  const schema = (response as Success).content["application/json"]?.schema;
  return schema === undefined ? null : (schema.properties?.["data"] ?? schema);
}

function Fields({ title, rows, nothing }: { title: string; rows: SchemaRow[]; nothing: string }) {
  return (
    <div className="mt-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      {rows.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{nothing}</p>
      ) : (
        <dl className="mt-1 grid gap-x-4 text-sm sm:grid-cols-[minmax(0,2fr)_3fr]">
          {rows.map(({ path, type, isRequired }) => (
            <div key={path} className="col-span-full grid grid-cols-subgrid border-t border-line py-1.5">
              <dt className="font-mono text-xs leading-5 wrap-anywhere">
                {path}
                {isRequired ? "" : " (optional)"}
              </dt>
              <dd className="wrap-anywhere text-muted">{type}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
