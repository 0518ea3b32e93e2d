import {
  ChartLine,
  CircleHelp,
  FlaskConical,
  History,
  KeyRound,
  LayoutDashboard,
  ScrollText,
  Settings,
  ShieldCheck,
  type LucideIcon,
} from "lucide-react";
import type { RoleName } from "@/lib/domain/enums.ts";

export interface NavLink {
  href: string;
  label: string;
  Icon: LucideIcon;
  /** Pressed after "g". */
  letter: string;
  /** Stands in the bottom bar of a phone; the others are behind "More". */
  isFirst: boolean;
}

const dashboard = { href: "/dashboard", label: "Dashboard", Icon: LayoutDashboard, letter: "d", isFirst: true };
const performance = { href: "/performance", label: "Performance", Icon: ChartLine, letter: "p", isFirst: true };
const trades = { href: "/trade-history", label: "Trade History", Icon: History, letter: "t", isFirst: true };
const decisions = { href: "/decisions", label: "Decisions", Icon: CircleHelp, letter: "w", isFirst: true };
const logs = { href: "/logs", label: "Activity & Logs", Icon: ScrollText, letter: "l", isFirst: false };
const backtest = { href: "/backtest", label: "Backtest", Icon: FlaskConical, letter: "b", isFirst: false };
const keys = { href: "/alpaca-keys", label: "Alpaca Keys", Icon: KeyRound, letter: "k", isFirst: false };
const admin = { href: "/admin", label: "Admin", Icon: ShieldCheck, letter: "a", isFirst: true };
const settings = { href: "/settings", label: "Settings", Icon: Settings, letter: "s", isFirst: false };

const LINKS: Record<RoleName, readonly NavLink[]> = {
  USER: [dashboard, performance, trades, decisions, logs, backtest, keys, settings],
  ADMIN: [dashboard, trades, { ...logs, isFirst: true }, admin, settings],
};

/** The pages of the bar, the palette and the keys, in their order. */
export const linksOf = (role: RoleName): readonly NavLink[] => LINKS[role];
