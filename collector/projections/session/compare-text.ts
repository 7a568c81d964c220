/** The order of texts in documents: by code units, the same everywhere. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
