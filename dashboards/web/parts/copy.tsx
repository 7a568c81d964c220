/** A button that copies a text, and says that it did, or why not. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { copyText } from './clipboard.ts';

const saidMs = 1_500;
const saidWhyMs = 8_000;

interface Said {
  readonly words: string;
  /** Null: until something else is said. */
  readonly ms: number | null;
}

export interface CopyProps {
  readonly words: string;
  /** What takes longer may fail, in words for the reader. */
  text(): string | Promise<string>;
}

export function Copy({ words, text }: CopyProps): JSX.Element {
  const [said, say] = useState<Said | null>(null);
  useEffect(() => {
    if (said === null || said.ms === null) return;
    const timer = setTimeout(() => say(null), said.ms);
    return () => clearTimeout(timer);
  }, [said]);
  const press = async () => {
    try {
      const copying = copy(text());
      say({ words: '…', ms: null });
      await copying;
      say({ words: 'Copied', ms: saidMs });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      say({ words: `Not copied: ${why}`, ms: saidWhyMs });
    }
  };
  return (
    <button type="button" class="link" data-copy={words.toLowerCase()} onClick={press}>
      <span aria-live="polite">{said?.words ?? words}</span>
    </button>
  );
}

async function copy(text: string | Promise<string>): Promise<void> {
  const isPlain = typeof text === 'string' || !('clipboard' in navigator);
  if (!isPlain) return copyWhenReady(text);
  if (!(await copyText(await text))) throw new Error('the browser does not allow it');
}

/** Browsers copy only what a press began: they wait for the text themselves. */
async function copyWhenReady(text: Promise<string>): Promise<void> {
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
  const item = new ClipboardItem({ 'text/plain': blob });
  await Promise.all([blob, navigator.clipboard.write([item])]);
}
