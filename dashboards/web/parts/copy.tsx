/** A button that copies a text, and says that it did. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

const saidMs = 1_500;

export function Copy({ words, text }: { words: string; text: () => string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), saidMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class="link"
      data-copy={words.toLowerCase()}
      onClick={() => navigator.clipboard.writeText(text()).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? 'Copied' : words}</span>
    </button>
  );
}
