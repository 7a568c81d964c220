/** Waits until a collector serves the page again that was away when code of it was asked for. */

export interface BackOptions {
  /** It was away already. */
  readonly isAway: boolean;
  /** The page's own script, as its document names it: it has another name in another version. */
  readonly script: string;
  /** The document as it is served now; null: nobody serves one. Never rejects. */
  readDocument(): Promise<string | null>;
  wait(ms: number): Promise<void>;
}

const againMs = 5_000;

/**
 * True: it was away and is back, or serves another version, so the page is to be opened anew.
 * False: it is there, and was all the time. Never rejects.
 */
export async function comesBack(options: BackOptions, signal: AbortSignal): Promise<boolean> {
  const { script, readDocument, wait } = options;
  let { isAway } = options;
  while (!signal.aborted) {
    const text = await readDocument();
    if (text !== null) return isAway || !text.includes(script);
    isAway = true;
    await wait(againMs);
  }
  return false;
}
