/** Where those who are told of a budget elsewhere can look at it. Pure. */
import { isLoopback } from '../../config/host.ts';
import { type SharedSettings, sharedUrl } from '../../config/shared-url.ts';

/** The URL of a budget's page. */
export type PageOf = (budget: string) => string;

/** Returns null when only programs of this machine could open it. */
export function createPageOf(settings: SharedSettings, machineName: string): PageOf | null {
  const base = URL.parse(sharedUrl(settings, machineName));
  if (base === null || isLoopback(base.hostname.replace(/^\[(.*)\]$/, '$1'))) return null;
  const path = base.pathname.replace(/\/$/, '');
  return (budget) => `${base.origin}${path}/budgets?show=${encodeURIComponent(budget)}`;
}
