"use client";
import { useQueryClient } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { Component, type ReactNode } from "react";
import { FailureNote } from "./failure-note.tsx";

interface BoundaryProps {
  /** Where the visitor is: what could not be shown at one address is forgotten at the next. */
  address: string;
  /** Prepares another try. */
  onRetry: () => void;
  children: ReactNode;
}

interface BoundaryState {
  address: string;
  hasFailed: boolean;
  hasRetried: boolean;
}

const AT_FIRST = { hasFailed: false, hasRetried: false };

/** React knows no other form of this than a class. What was caught React itself logs. */
class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { address: this.props.address, ...AT_FIRST };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ address }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return address === state.address ? null : { address, ...AT_FIRST };
  }

  retry = () => {
    // What another try with new answers does not mend, such as code of an older release, a whole load may.
    if (this.state.hasRetried) return window.location.reload();
    this.props.onRetry();
    this.setState({ hasFailed: false, hasRetried: true });
  };

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <FailureNote
        text="This page could not be shown"
        detail="An error occurred while it was drawn. Trading is not affected, and the other pages can be opened."
        onRetry={this.retry}
      />
    );
  }
}

/** Around what a page shows: where that cannot be drawn, the frame stays, with a sentence and another try in the page's place. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const address = `${usePathname()}?${useSearchParams().toString()}`;
  // The frame's own answers are in use, those of the page no longer.
  return (
    <Boundary address={address} onRetry={() => client.removeQueries({ type: "inactive" })}>
      {children}
    </Boundary>
  );
}
