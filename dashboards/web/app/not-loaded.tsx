/** In the place of a part whose code did not come: says so, and opens the page anew when it can. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../state/page.ts';
import { comesBack } from './back.ts';

/** `what`: `This view`. */
export function NotLoaded({ what }: { what: string }): JSX.Element {
  const { connection } = usePage();
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const waiting = new AbortController();
    const isAway = connection.read().is === 'offline';
    void comesBack({ isAway, script: ownScript(), readDocument, wait }, waiting.signal).then(
      (isBack) => {
        if (waiting.signal.aborted) return;
        if (isBack) location.reload();
        else setThere(true);
      },
    );
    return () => waiting.abort();
  }, [connection]);
  if (!isThere)
    return (
      <p class="empty" role="status">
        {what} was not opened before the collector stopped. It opens when the collector is back.
      </p>
    );
  return (
    <p class="problem" role="alert">
      {what} could not be loaded.{' '}
      <button type="button" class="link" onClick={() => location.reload()}>
        Try again
      </button>
    </p>
  );
}

const waitMsMax = 15_000;

async function readDocument(): Promise<string | null> {
  try {
    const response = await fetch(location.pathname, { signal: AbortSignal.timeout(waitMsMax) });
    return response.ok ? await response.text() : null;
  } catch {
    return null; // nobody answers
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function ownScript(): string {
  return document.querySelector('script[src]')?.getAttribute('src') ?? '';
}
