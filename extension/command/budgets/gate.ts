/**
 * Asks a person before a prompt is sent while a hard budget is over. The one handler that a host
 * waits for: for a person's answer, never for the network.
 *
 * Guarantees: fails open; silent where nobody looks at a terminal; without a hard budget that is
 * known to be over, one look-up.
 */
import { systemClock } from '../../clock.ts';
import { confirm, setEditorText } from '../../host/dialog.ts';
import { hasUi, notify } from '../../host/host.ts';
import { readInput, readInputText } from '../../host/human.ts';
import type { SessionState } from '../../live/session-state.ts';
import type { OverviewBudget } from '../asking/overview.ts';
import type { Budgets } from './budgets.ts';
import { budgetNotice } from './text.ts';

const question = 'Send the prompt all the same?';

/** For pi and for omp: the prompt goes no further. */
export const refusal = { action: 'handled', handled: true } as const;

/** omp gives up on a handler, and sends the prompt, after 30 s. */
const ompAnswerMsMax = 25_000;

export interface GateOptions {
  readonly budgets: Budgets;
  readonly hostName: 'pi' | 'omp';
}

/** What a host's `input` handler returns. Contract: never throws, never rejects. */
export function askBeforePrompt(
  { budgets, hostName }: GateOptions,
  session: SessionState | undefined,
  event: unknown,
  ctx: unknown,
): Promise<typeof refusal | undefined> | undefined {
  if (session === undefined) return undefined;
  const inTheWay = budgets.inTheWay(session.id);
  if (inTheWay.length === 0 || !isAsked(session, ctx)) return undefined;
  const text = readInputText(event);
  if (text === null || text.startsWith('/') || readInput(event).source !== 'interactive')
    return undefined;
  return decide(inTheWay, text);

  async function decide(
    over: readonly OverviewBudget[],
    prompt: string,
  ): Promise<typeof refusal | undefined> {
    const title = over.map(budgetNotice).join(' ');
    const answerMsMax = hostName === 'omp' ? ompAnswerMsMax : null;
    const answer = await confirm(ctx, { title, question, answerMsMax });
    if (answer === true && session !== undefined) budgets.allow(session.id, over);
    if (answer !== false) return undefined;
    // omp clears its editor once it has our answer. pi draws it again only for the notice.
    systemClock.after(0, () => {
      setEditorText(ctx, prompt);
      notify(ctx, 'The prompt is not sent.', 'info');
    });
    return refusal;
  }
}

/** What a paused session spends counts in no budget. */
function isAsked({ attribution, privacy }: SessionState, ctx: unknown): boolean {
  return privacy !== 'paused' && attribution?.mode === 'tui' && hasUi(ctx) === true;
}
