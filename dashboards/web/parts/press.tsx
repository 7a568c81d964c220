/** A button that does something, and says that it did, or why not. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const saidMs = 1_500;
const saidWhyMs = 8_000;

interface Said {
  readonly words: string;
  /** When it is null, the words stay until something else is said. */
  readonly ms: number | null;
}

export interface PressProps {
  readonly words: string;
  readonly title?: string;
  /** Before the reason of a failure: `Not copied`. */
  readonly failed: string;
  /** Resolves with what was done: `Copied`. May fail, in words for the reader. */
  act(button: HTMLElement): Promise<string>;
}

export function Press({ words, title, failed, act }: PressProps): JSX.Element {
  const [said, say] = useState<Said | null>(null);
  useEffect(() => {
    if (said === null || said.ms === null) return;
    const timer = setTimeout(() => say(null), said.ms);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async (button: HTMLElement) => {
    try {
      const acting = act(button);
      say({ words: '…', ms: null });
      say({ words: await acting, ms: saidMs });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      say({ words: `${failed}: ${why}`, ms: saidWhyMs });
    }
  };
  return (
    <button
      type="button"
      class="link"
      title={title}
      data-copy={words.toLowerCase()}
      onClick={({ currentTarget }) => press(currentTarget)}
    >
      <span aria-live="polite">{said?.words ?? words}</span>
    </button>
  );
}
