"use client";
import { Command } from "cmdk";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { useState, type ReactNode } from "react";
import { automationApi } from "@/lib/contracts/automation.ts";
import { portfolioApi } from "@/lib/contracts/portfolio.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { usersApi } from "@/lib/contracts/users.ts";
import { easternText, sharesText } from "@/lib/domain/format.ts";
import { toggleAmounts, useAmounts } from "../_hooks/use-amounts.ts";
import { useDownload } from "../_hooks/use-download.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { useEnvironment } from "../_hooks/use-environment.ts";
import { useHasAutomation } from "../_hooks/use-has-automation.ts";
import { leaveBy } from "../_hooks/use-leave-guard.ts";
import type { SessionUser } from "../_hooks/use-session.ts";
import { useSettled } from "../_hooks/use-settled.ts";
import { switchTheme } from "../_hooks/use-theme.ts";
import { EnvironmentBadge } from "./badge.tsx";
import { linksOf } from "./nav-links.ts";
import { Overlay } from "./overlay.tsx";
import { symbolAddress } from "./symbol-link.tsx";

const RECENT = 6;

interface PaletteProps {
  role: SessionUser["role"];
  onClose: () => void;
  /** Does what the pause button does: pauses, or asks whether to resume. */
  onPause: () => void;
  onShortcuts: () => void;
  onLogout: () => void;
}

/** Pages, symbols, trades and actions by their names. */
export function Palette(props: PaletteProps) {
  const { onClose } = props;
  const [typed, setTyped] = useState("");
  return (
    <Overlay
      onClose={onClose}
      className="inset-x-3 top-3 overflow-hidden rounded-2xl border text-sm sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:w-full sm:max-w-xl sm:-translate-x-1/2"
    >
      <Dialog.Title className="sr-only">Command menu</Dialog.Title>
      <Command label="Command menu" loop filter={isNamed}>
        <Command.Input
          value={typed}
          onValueChange={setTyped}
          placeholder="Search pages, symbols and actions"
          className="h-13 w-full border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-muted sm:text-sm"
        />
        <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto overscroll-contain p-2">
          <Command.Empty className="px-3 py-8 text-center text-muted">No results.</Command.Empty>
          <Choices typed={typed} {...props} />
        </Command.List>
      </Command>
    </Overlay>
  );
}

function Choices({ typed, role, onClose, ...acts }: PaletteProps & { typed: string }) {
  const router = useRouter();
  const isTrader = role === "USER";
  const act = (does: () => void) => () => {
    onClose();
    does();
  };
  const go = (href: string) => act(() => leaveBy(() => router.push(href)));
  return (
    <>
      <Group heading="Pages">
        {linksOf(role).map(({ href, label, letter, Icon }) => (
          <Choice key={href} value={`page ${label}`} onSelect={go(href)} hint={`g ${letter}`}>
            <Icon aria-hidden className="size-4 text-muted" />
            {label}
          </Choice>
        ))}
      </Group>
      <HeldChoices isTrader={isTrader} go={go} />
      <TradeChoices typed={typed} isTrader={isTrader} go={go} />
      <ActionChoices isTrader={isTrader} act={act} go={go} {...acts} />
    </>
  );
}

interface ChoicesProps {
  isTrader: boolean;
  /** What choosing it does: the palette closes, and the page opens. */
  go: (href: string) => () => void;
}

function HeldChoices({ isTrader, go }: ChoicesProps) {
  const { input: environment } = useEnvironment();
  const positions = useEndpoint(portfolioApi.positions, environment, { isEnabled: isTrader });
  const held = positions.data ?? [];
  if (held.length === 0) return null;
  return (
    <Group heading="Held">
      {held.map((position) => (
        <Choice
          key={`${position.accountId} ${position.symbol}`}
          value={`held ${position.symbol} ${position.accountId}`}
          onSelect={go(symbolAddress(position.symbol))}
        >
          <span className="font-medium">{position.symbol}</span>
          <span className="amount text-muted">{sharesText(position.quantity)}</span>
          <EnvironmentBadge environment={position.environmentLabel} />
        </Choice>
      ))}
    </Group>
  );
}

function TradeChoices({ typed, isTrader, go }: ChoicesProps & { typed: string }) {
  const symbol = useSettled(symbolIn(typed));
  const { input: environment } = useEnvironment();
  const trades = useEndpoint(isTrader ? tradesApi.list : tradesApi.listAll, {
    ...environment,
    limit: RECENT,
    ...(symbol === null ? {} : { symbol }),
  });
  return (
    <Group heading={symbol === null ? "Recent trades" : `${symbol} and its recent trades`}>
      {symbol !== null && (
        <Choice
          value={`symbol page ${symbol}`}
          onSelect={go(isTrader ? symbolAddress(symbol) : `/admin/symbols/${symbol}`)}
        >
          All about {symbol}
        </Choice>
      )}
      {symbol !== null && (
        <Choice value={`trades of ${symbol}`} onSelect={go(`/trade-history?symbol=${encodeURIComponent(symbol)}`)}>
          All trades of {symbol}
        </Choice>
      )}
      {(trades.data?.trades ?? []).map((trade) => (
        <Choice
          key={trade.id}
          value={`trade ${trade.symbol} ${trade.id}`}
          onSelect={go(`/trade-history/${trade.id}`)}
          hint={easternText(trade.createdAt)}
        >
          <span className="font-medium">{trade.symbol}</span>
          <span className={trade.side === "BUY" ? "text-gain" : "text-loss"}>
            {trade.side === "BUY" ? "Buy" : "Sell"}
          </span>
          <span className="text-muted">{trade.status.toLowerCase()}</span>
          <EnvironmentBadge environment={trade.account.environmentLabel} />
        </Choice>
      ))}
    </Group>
  );
}

interface ActionChoicesProps extends ChoicesProps, Pick<PaletteProps, "onPause" | "onShortcuts" | "onLogout"> {
  /** What choosing it does: the palette closes, and this happens. */
  act: (does: () => void) => () => void;
}

function ActionChoices({ isTrader, act, go, onPause, onShortcuts, onLogout }: ActionChoicesProps) {
  const pause = useEndpoint(automationApi.readPause, {}, { isEnabled: isTrader });
  const hasAutomation = useHasAutomation(isTrader);
  const exporting = useDownload(usersApi.export);
  const { areHidden } = useAmounts();
  return (
    <Group heading="Actions">
      {pause.data !== undefined && (hasAutomation || pause.data.isPaused) && (
        <Choice value="Pause or resume automation stop" onSelect={act(onPause)}>
          {pause.data.isPaused ? "Resume automation" : "Pause automation"}
        </Choice>
      )}
      {isTrader && (
        <Choice value="New backtest" onSelect={go("/backtest")}>
          New backtest
        </Choice>
      )}
      <Choice value="Switch between light and dark theme" onSelect={act(switchTheme)}>
        Switch between light and dark
      </Choice>
      <Choice value="Hide or show amounts" onSelect={act(toggleAmounts)}>
        {areHidden ? "Show amounts" : "Hide amounts"}
      </Choice>
      {/* Stays open: the file takes a moment, and may be refused. */}
      <Choice value="Export download my data zip csv" onSelect={() => !exporting.isBusy && exporting.run({})}>
        {exporting.isBusy ? "Preparing the file..." : "Export my data"}
        {exporting.failure !== null && <span className="text-loss">{exporting.failure.message}</span>}
      </Choice>
      <Choice value="Notifications news alerts bell" onSelect={go("/notifications")}>
        Notifications
      </Choice>
      <Choice value="Sign-in and security two-factor passkeys devices access tokens" onSelect={go("/security")}>
        Sign-in and security
      </Choice>
      <Choice value="Keyboard shortcuts" onSelect={act(onShortcuts)} hint="?">
        Keyboard shortcuts
      </Choice>
      <Choice value="Logout sign out" onSelect={act(onLogout)}>
        Logout
      </Choice>
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ChoiceProps {
  /** What typing is compared with. */
  value: string;
  hint?: string;
  onSelect: () => void;
  children: ReactNode;
}

function Choice({ value, hint, onSelect, children }: ChoiceProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg px-3 data-[selected=true]:bg-sunken sm:min-h-10"
    >
      {children}
      {hint !== undefined && <span className="ml-auto text-xs whitespace-nowrap text-muted">{hint}</span>}
    </Command.Item>
  );
}

/** 1 where every word that was typed begins a word of the name: letters picked out of it would find "csv" for "nv". */
function isNamed(name: string, typed: string): number {
  const words = name.toLowerCase().split(/\s+/);
  const parts = typed.toLowerCase().trim().split(/\s+/);
  return parts.every((part) => words.some((word) => word.startsWith(part))) ? 1 : 0;
}

/** What was typed, where it may be a symbol: letters and one dot, five at most before it. */
function symbolIn(typed: string): string | null {
  const upper = typed.trim().toUpperCase();
  return /^[A-Z]{1,5}(\.[A-Z]{0,2})?$/.test(upper) ? upper : null;
}
