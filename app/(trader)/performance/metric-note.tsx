import { Definition } from "../../_ui/definition.tsx";
import { metricOf } from "./figure-text.ts";

/** A figure's definition in the registry, and why it has no value where it has none. */
export function MetricNote({ id, reason = null }: { id: string; reason?: string | null }) {
  const { name, definition, source, version } = metricOf(id);
  return (
    <span className="print:hidden">
      <Definition of={name}>
        <p className="font-medium">{name}</p>
        <p className="mt-1">{definition}.</p>
        {reason !== null && <p className="mt-2 text-warn">{`No value: ${reason}.`}</p>}
        <p className="mt-2 text-xs text-muted">{`${source} · version ${version} · ${id}`}</p>
      </Definition>
    </span>
  );
}
