import { Banner } from "../../../_ui/banner.tsx";

/** What the rules can do: while the gate is off nothing, then what qa-gate.ts does with them. */
export function QaBanner({ isLive }: { isLive: boolean }) {
  if (isLive) {
    return (
      <Banner
        kind="success"
        detail="While a critical rule fails or cannot be judged, the accounts concerned make no new purchases. Exits and stops keep working. The flag qa_live_gate turns this off."
      >
        QA gates live cycles
      </Banner>
    );
  }
  return (
    <Banner
      kind="warning"
      detail="The QA check system is not yet connected to live trading sessions. Six validation rules exist: allocation, swap limits, promotion quality, conviction gates, fast-track events, sector quotas."
    >
      Feature In Development
    </Banner>
  );
}
