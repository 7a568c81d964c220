/**
 * Runs something that many ask for one at a time. Who asks while it runs gets the result of the
 * next run, and so does everybody who asks before that begins: no result is older than its
 * question, and those who ask again and again without waiting leave nothing behind.
 */
export function shareRuns<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;
  return () => {
    if (next !== null) return next;
    const begun = last.then(() => {
      next = null;
      return run();
    });
    next = begun;
    last = begun.catch(() => undefined);
    return begun;
  };
}
