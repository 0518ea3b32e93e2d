import { expect, it } from "vitest";
import type { Column } from "../../_ui/table.tsx";
import { withoutFees } from "./trade-fills.tsx";

it("a column of fees stands only where a row has any, as no fees are known of a trade that the broker charges apart", () => {
  const columns: Column<{ fees: number }>[] = [
    { key: "price", title: "Price", cell: () => null },
    { key: "fees", title: "Fees", cell: () => null },
  ];
  const keys = (rows: { fees: number }[]) => withoutFees(columns, rows).map(({ key }) => key);
  expect(keys([{ fees: 0 }])).toEqual(["price"]);
  expect(keys([{ fees: 0 }, { fees: 0.02 }])).toEqual(["price", "fees"]);
});
