"use client";
import type { ReactNode } from "react";
import { POLICY_FIELDS, POLICY_SECTIONS, type PolicyField, type PolicySection } from "@/lib/domain/policy.ts";
import { POLICY_SECTION_TEXT, policyBoundsText, policyFieldTitle, policyNumberText } from "@/lib/domain/policy-text.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Table } from "../../_ui/table.tsx";
import { Tabs } from "../../_ui/tabs.tsx";

export type Sections = Readonly<Record<PolicySection, Readonly<Record<string, number>>>>;

export const pathOf = ({ section, key }: Pick<PolicyField, "section" | "key">) => `${section}.${key}`;
export const fieldOf = (path: string) => POLICY_FIELDS.find((field) => pathOf(field) === path);

interface SectionTabsProps {
  /** Stands behind a section's name: how many of its fields differ. */
  noteOf?: (section: PolicySection) => string;
  content: (section: PolicySection) => ReactNode;
}

/** The eight sections; the chosen one stands in the address. */
export function SectionTabs({ noteOf = () => "", content }: SectionTabsProps) {
  const { values, change } = useUrlValues({ section: POLICY_SECTIONS[0] ?? "selector_top50" });
  const section = POLICY_SECTIONS.find((name) => name === values.section) ?? "selector_top50";
  return (
    <Tabs
      label="Policy sections"
      value={section}
      onChange={(next) => change({ section: next })}
      tabs={POLICY_SECTIONS.map((value) => ({
        value,
        label: `${POLICY_SECTION_TEXT[value]}${noteOf(value)}`,
        content: content(value),
      }))}
    />
  );
}

/** A policy to read: each field with its value, unit, bounds and what it does. */
export function PolicySections({ policy }: { policy: Sections }) {
  return (
    <SectionTabs
      content={(section) => (
        <div className="overflow-clip rounded-xl border border-line bg-surface">
          <SectionTable section={section} values={policy[section]} />
        </div>
      )}
    />
  );
}

function SectionTable({ section, values }: { section: PolicySection; values: Readonly<Record<string, number>> }) {
  const rows = POLICY_FIELDS.filter((field) => field.section === section);
  const valueOf = ({ key, unit }: PolicyField) => policyNumberText(values[key] ?? Number.NaN, unit);
  return (
    <Table
      caption={POLICY_SECTION_TEXT[section]}
      rows={rows}
      rowKey={pathOf}
      columns={[
        { key: "field", title: "Field", cell: (row) => <FieldName field={row} /> },
        { key: "value", title: "Value", isNumber: true, cell: (row) => <b className="font-medium">{valueOf(row)}</b> },
        { key: "unit", title: "Unit", cell: ({ unit }) => <span className="text-muted">{unit}</span> },
        { key: "bounds", title: "Bounds", cell: (row) => <span className="text-muted">{policyBoundsText(row)}</span> },
        { key: "does", title: "What it does", cell: ({ description }) => description },
      ]}
      card={(row) => (
        <div className="flex flex-col gap-1 text-sm">
          <p className="flex items-baseline justify-between gap-3">
            <span className="font-medium">{policyFieldTitle(row.key)}</span>
            <span className="tabular-nums">{valueOf(row)}</span>
          </p>
          <p>{row.description}</p>
          <p className="text-xs text-muted">
            {row.unit}: {policyBoundsText(row)}
          </p>
        </div>
      )}
    />
  );
}

function FieldName({ field }: { field: PolicyField }) {
  return (
    <span className="block min-w-40">
      {policyFieldTitle(field.key)}
      <span className="block text-xs text-muted">{field.key}</span>
    </span>
  );
}
