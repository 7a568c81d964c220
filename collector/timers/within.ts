/**
 * Waits for a promise, at most `timeoutMs`. Contract: the timer is cleared when it resolves; the
 * promise itself goes on.
 */
export async function within<Value>(
  timeoutMs: number,
  promise: Promise<Value>,
): Promise<Value | 'timeout'> {
  const { promise: timeout, resolve } = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(() => resolve('timeout'), timeoutMs);
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
