"use client";
import { Card } from "../../_ui/card.tsx";

export function YourData() {
  return <Card title="Your data">…</Card>;
}
