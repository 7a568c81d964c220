/**
 * Loads the footer when a session in a terminal first does something, off the host's path, and
 * tells people what its answers say of budgets.
 */
import { systemClock } from '../../clock.ts';
import { notify } from '../../host/host.ts';
import type { SessionState } from '../../live/session-state.ts';
import type { Recording } from '../../producer.ts';
import { knownBudgets, sharedBudgets } from '../shared-budgets.ts';
import type { Footer } from './footer.ts';

export function createLazyFooter(
  producer: Pick<Recording, 'recorder' | 'shipper' | 'collector' | 'config' | 'notices'>,
): Footer {
  let footer: Footer | null = null;
  let waiting: { readonly ctx: unknown; readonly session: SessionState } | null = null;

  async function load(): Promise<void> {
    const [{ createFooter }, { askOverview, tellLeftOut }] = await Promise.all([
      import('./footer.ts'),
      import('../asking/overview.ts'),
    ]);
    footer = createFooter({
      producer,
      clock: systemClock,
      isShown: producer.config.footer,
      async ask(sessionId) {
        const answer = await askOverview(producer.collector, sessionId, systemClock.nowMs());
        tellLeftOut(answer, producer.notices);
        return answer;
      },
      onBudgets(ctx, sessionId, said) {
        const budgets = said.length > 0 ? sharedBudgets() : knownBudgets();
        for (const { text, kind } of budgets?.note(sessionId, said) ?? []) notify(ctx, text, kind);
        return said.some(({ isHard, state }) => isHard && state === 'over');
      },
    });
    if (waiting !== null) footer.touch(waiting.ctx, waiting.session);
    waiting = null;
  }

  return {
    touch(ctx, session) {
      if (session?.attribution?.mode !== 'tui') return;
      if (footer !== null) return footer.touch(ctx, session);
      // Without its file there is no footer; everything else works.
      if (waiting === null) systemClock.after(0, () => void load().catch(() => undefined));
      waiting = { ctx, session };
    },
  };
}
