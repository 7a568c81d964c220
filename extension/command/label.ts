/** `/ledger label`: what the session's spend is for, in the user's words. */
import { type LabelChange, readLabelWords } from '../../contract/settings/labels.ts';
import { liveDraft } from '../live/draft.ts';
import type { SessionState } from '../live/session-state.ts';
import type { LedgerView } from './ledger-view.ts';
import { labelUsage } from './names.ts';

/** `ticket=ABC-12` labels from now on, `ticket=` takes a label away; alone it shows them. */
export function labelLines(view: LedgerView, rest: string): readonly string[] {
  const { session } = view;
  if (session === null) return ['Labels: nothing recorded yet, so there is nothing to label'];
  if (session.privacy === 'paused')
    return ['Not labelled: recording is paused until /ledger resume'];
  const words = splitWords(rest).filter((word) => word !== wholeWord);
  if (words.length === 0) return rest === '' ? [shown(session)] : [`Write ${labelUsage}`];
  const labels = readLabelWords(words);
  if (typeof labels === 'string') return [`Not labelled. ${labels}`];
  const whole = splitWords(rest).includes(wholeWord);
  return record(view, session, labels, whole)
    ? [shown(session), whole ? 'They hold for all of the session' : 'They hold from now on']
    : ['Not labelled: the spool takes no events (/ledger spool)'];
}

const wholeWord = '--session';

/** Blanks in double quotes belong to the word. */
function splitWords(text: string): readonly string[] {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((word) => word.replaceAll('"', ''));
}

function record(
  { producer, nowMs }: LedgerView,
  session: SessionState,
  labels: LabelChange,
  whole: boolean,
): boolean {
  const data = { labels, whole };
  const draft = liveDraft('pi.session.labelled.v1', session.id, nowMs, data);
  if (!producer.spool.append([draft])) return false;
  for (const [key, value] of Object.entries(labels)) {
    if (value === null) session.labels.delete(key);
    else session.labels.set(key, value);
  }
  producer.shipper.wake();
  return true;
}

function shown({ labels }: SessionState): string {
  const set = [...labels].map(([key, value]) => `${key}=${value}`);
  return set.length === 0
    ? `Labels of this session, set in this process: none. Set one: ${labelUsage}`
    : `Labels of this session, set in this process: ${set.join(', ')}`;
}
