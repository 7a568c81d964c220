/** A button that copies a text. */
import type { JSX } from 'preact';
import { copyText } from './clipboard.ts';
import { Press } from './press.tsx';

export interface CopyProps {
  readonly words: string;
  /** What takes longer may fail, in words for the reader. */
  text(): string | Promise<string>;
}

export function Copy({ words, text }: CopyProps): JSX.Element {
  const act = async () => {
    await copy(text());
    return 'Copied';
  };
  return <Press {...{ words, act }} failed="Not copied" />;
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
