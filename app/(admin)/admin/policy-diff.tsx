"use client";
import { policyApi } from "@/lib/contracts/policy.ts";
import { POLICY_SECTION_TEXT, policyFieldTitle, policyValueText } from "@/lib/domain/policy-text.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Card } from "../../_ui/card.tsx";
import { SelectField } from "../../_ui/field.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Table } from "../../_ui/table.tsx";
import { fieldOf } from "./policy-sections.tsx";
import type { Version } from "./policy-version.tsx";

/** Fields in which a version is not the one that it is compared with: the one in force, unless another is chosen. */
export function PolicyDiff({ version }: { version: Version }) {
  const { values, change } = useUrlValues({ with: "" });
  const other = values.with === "" ? version.inForce : values.with;
  const isDefault = other === version.inForce;
  const versions = useEndpoint(policyApi.versions, { limit: 100 });
  const diff = useEndpoint(policyApi.diff, { from: other, to: version.version }, { isEnabled: !isDefault });
  // The result of other input is never shown as a placeholder.
  const compared = diff.isOld ? undefined : diff.data;
  const changes = isDefault ? version.changes : (compared?.changes ?? []);
  const others = (versions.data?.versions ?? []).filter((row) => row.version !== version.version);
  return (
    <Card
      title={`Changes against ${other}${isDefault ? " (in force)" : ""}`}
      aside={
        <div className="w-40">
          <SelectField
            label="Compare with"
            value={other}
            options={[...new Set([version.inForce, ...others.map((row) => row.version)])].map((value) => ({
              value,
              label: value,
            }))}
            onChange={(event) => change({ with: event.target.value === version.inForce ? "" : event.target.value })}
          />
        </div>
      }
    >
      {diff.failure !== null && !isDefault && (
        <FailureNote text="Failed to compare the versions" detail={diff.failure.message} onRetry={diff.retry} />
      )}
      {changes.length === 0 && (isDefault || compared !== undefined) && (
        <p className="text-sm text-muted">No field differs.</p>
      )}
      {changes.length > 0 && <Changes changes={changes} from={other} to={version.version} />}
    </Card>
  );
}

interface ChangesProps {
  changes: Version["changes"];
  from: string;
  to: string;
}

function Changes({ changes, from, to }: ChangesProps) {
  const textOf = (path: string, value: number) => policyValueText(value, fieldOf(path)?.unit ?? "");
  const sectionOf = (path: string) => {
    const field = fieldOf(path);
    return field ? POLICY_SECTION_TEXT[field.section] : "";
  };
  return (
    <Table
      caption={`Changes from ${from} to ${to}`}
      rows={changes}
      rowKey={({ path }) => path}
      columns={[
        { key: "field", title: "Field", cell: ({ path }) => policyFieldTitle(path) },
        { key: "section", title: "Section", cell: ({ path }) => <span className="text-muted">{sectionOf(path)}</span> },
        { key: "from", title: from, isNumber: true, cell: (row) => textOf(row.path, row.from) },
        { key: "to", title: to, isNumber: true, cell: (row) => textOf(row.path, row.to) },
        { key: "does", title: "What it does", cell: ({ path }) => fieldOf(path)?.description },
      ]}
      card={(row) => (
        <div className="flex flex-col gap-1 text-sm">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium">{policyFieldTitle(row.path)}</span>
            <span className="tabular-nums">
              {textOf(row.path, row.from)} → {textOf(row.path, row.to)}
            </span>
          </p>
          <p className="text-muted">{fieldOf(row.path)?.description}</p>
        </div>
      )}
    />
  );
}
