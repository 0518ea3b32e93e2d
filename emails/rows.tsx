import type { ReactNode } from "react";
import { Column, Row, Section, Text } from "react-email";
import type { DecimalText } from "@/lib/domain/money.ts";
import { directionOf, signedDollarsText } from "./figures.ts";

const line = { fontSize: "15px", lineHeight: "22px", margin: 0, overflowWrap: "anywhere" } as const;
const below = { fontSize: "13px", lineHeight: "19px", margin: 0, overflowWrap: "anywhere" } as const;

/** Lines with something on the left and a figure on the right: as wide as a phone, without a table to scroll. */
export function Rows({ children }: { children: ReactNode }) {
  return <Section style={{ margin: "0 0 8px" }}>{children}</Section>;
}

interface LineProps {
  left: ReactNode;
  leftBelow?: ReactNode;
  right: ReactNode;
  rightBelow?: ReactNode;
}

export function Line({ left, leftBelow, right, rightBelow }: LineProps) {
  return (
    <Row className="line" style={{ borderTop: "1px solid #8b93a155" }}>
      <Column style={{ padding: "8px 12px 8px 0", verticalAlign: "top" }}>
        <Text className="cell" style={line}>
          {left}
        </Text>
        {leftBelow !== undefined && (
          <Text className="cell muted" style={below}>
            {leftBelow}
          </Text>
        )}
      </Column>
      <Column align="right" style={{ padding: "8px 0", textAlign: "right", verticalAlign: "top" }}>
        <Text className="cell" style={{ ...line, overflowWrap: "normal", fontVariantNumeric: "tabular-nums" }}>
          {right}
        </Text>
        {rightBelow !== undefined && (
          <Text className="cell muted" style={{ ...below, overflowWrap: "normal", fontVariantNumeric: "tabular-nums" }}>
            {rightBelow}
          </Text>
        )}
      </Column>
    </Row>
  );
}

/** A gain or loss to the cent: its sign says it, its colour repeats it. */
export function Signed({ value }: { value: DecimalText }) {
  const direction = directionOf(value);
  return (
    <span {...(direction === "flat" ? {} : { className: direction })} style={{ whiteSpace: "nowrap" }}>
      {signedDollarsText(value)}
    </span>
  );
}
