interface TableHeadProps {
  titles: readonly string[];
  /** The room of a cell, as those below have it. */
  cell: string;
}

/** The head of a small table, whose first column is of words and the others of figures. */
export function TableHead({ titles, cell }: TableHeadProps) {
  return (
    <thead>
      <tr className="border-b border-line text-xs text-muted">
        {titles.map((title, place) => (
          <th key={place} scope="col" className={`${cell} font-medium ${place === 0 ? "text-left" : "text-right"}`}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
