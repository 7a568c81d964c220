/** Questions to the person at a host's terminal. Contract of all functions: they never throw. */
import { asObject } from '../../core/record/fields.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { called, guarded } from './host-call.ts';

export interface DialogQuestion {
  readonly title: string;
  readonly question: string;
  /** After it, the answer is no. When it is null, the host waits as long as the person takes. */
  readonly answerMsMax: number | null;
}

/** The hosts' own `confirm` has Yes selected, which Enter then means. */
const [no, yes] = ['No', 'Yes'];

/**
 * No is selected, and leaving the dialog is a no. Resolves to null if the host cannot ask, or
 * failed. Contract: never rejects.
 */
export async function confirm(
  ctx: unknown,
  { title, question, answerMsMax }: DialogQuestion,
): Promise<boolean | null> {
  const ui = guarded(() => asObject(asObject(ctx)?.ui));
  // Not the dialogs' own `timeout`: in omp it chooses what is selected, "Yes".
  const options = answerMsMax === null ? undefined : { signal: AbortSignal.timeout(answerMsMax) };
  try {
    const asked = `${sanitizeLine(title)}\n${question}`;
    const answer = await called(ui, 'select', asked, [no, yes], options);
    if (answer === yes) return true;
    return answer === no || answer === undefined ? false : null;
  } catch {
    return null; // the session is over
  }
}

/** The text never leaves the host: it is what the person typed there. */
export function setEditorText(ctx: unknown, text: string): void {
  called(
    guarded(() => asObject(asObject(ctx)?.ui)),
    'setEditorText',
    text,
  );
}
