/** Looks for a tool, a model or an agent in the time line, and goes from find to find. */
import type { JSX } from 'preact';
import { formatCount, ofAll } from '../../../format/count.ts';
import { type Find, nextFind } from './find.ts';

export interface FindFieldProps {
  readonly text: string;
  /** They are null when nothing is looked for. */
  readonly finds: readonly Find[] | null;
  /** The place of the one that is gone to. */
  readonly at: number | null;
  /** Long sessions are thinned: what is merged has no names. */
  readonly isThinned: boolean;
  onFind(text: string): void;
  onGo(at: number): void;
}

export function FindField(props: FindFieldProps): JSX.Element {
  const { text, finds, at, onFind, onGo } = props;
  const count = finds?.length ?? 0;
  const go = (step: 1 | -1) => {
    const next = nextFind(count, at, step);
    if (next !== null) onGo(next);
  };
  return (
    <p class="span-find">
      <input
        type="search"
        aria-label="Find in the time line"
        placeholder="Find a tool, model or agent"
        autocomplete="off"
        spellcheck={false}
        maxLength={100}
        value={text}
        onInput={({ currentTarget }) => onFind(currentTarget.value)}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Enter') go(shiftKey ? -1 : 1);
          if (key === 'Escape') onFind('');
        }}
      />
      {count > 0 && (
        <>
          <button type="button" class="link" title="Shift+Enter" onClick={() => go(-1)}>
            previous
          </button>
          <button type="button" class="link" title="Enter" onClick={() => go(1)}>
            next
          </button>
        </>
      )}
      <span role="status">{finds !== null && wordsOf(finds, props)}</span>
    </p>
  );
}

function wordsOf(finds: readonly Find[], { at, isThinned }: FindFieldProps): string {
  const current = finds[at ?? -1];
  const found = finds.length === 0 ? 'none found' : `${formatCount(finds.length)} found`;
  const where =
    current === undefined
      ? found
      : `${ofAll((at ?? 0) + 1, finds.length)}: ${current.span.item.name}, turn ${current.turn}`;
  return isThinned ? `${where}; merged turns have no names` : where;
}
