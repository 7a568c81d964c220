/** Which column a chart's cursor stands on after a key. */

/** Undefined: not a key of the cursor's. */
export function columnAfter(
  key: string,
  cursor: number | null,
  count: number,
): number | null | undefined {
  switch (key) {
    case 'ArrowRight':
      return Math.min(count - 1, (cursor ?? -1) + 1);
    case 'ArrowLeft':
      return Math.max(0, (cursor ?? count) - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'Escape':
      return null;
    default:
      return undefined;
  }
}
