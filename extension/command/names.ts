/** What the subcommands of `/ledger` do. */
import type { Name } from './command.ts';

interface Named {
  readonly description: string;
  /** Shown only when named. */
  readonly isOnlyByName?: boolean;
  readonly takesWords?: boolean;
  /** Only the collector knows some of it. */
  readonly asks?: boolean;
}

export const labelUsage = '/ledger label ticket=ABC-12 [--session]';

const table = {
  session: { description: 'what this session spent, and its subagents', asks: true },
  project: { description: 'the same for this project: today, and in this process', asks: true },
  today: { description: 'what all projects spent today and this month', asks: true },
  budgets: { description: "how budgets of this session's project and user stand", asks: true },
  context: { description: 'how full the window is, what fills it, and when the host compacts' },
  compactions: { description: 'what compactions did on this branch', isOnlyByName: true },
  label: {
    description: `what this session is for: ${labelUsage}`,
    isOnlyByName: true,
    takesWords: true,
  },
  pause: { description: 'records nothing of this session from here on', isOnlyByName: true },
  resume: { description: 'records again', isOnlyByName: true },
  open: { description: 'the page at this session, in your browser', isOnlyByName: true },
  spool: { description: 'which events are still to be sent, and where' },
} as const satisfies Readonly<Record<Name, Named>>;

export const names: Readonly<Record<Name, Named>> = table;

export function isName(text: string): text is Name {
  return Object.hasOwn(names, text);
}
