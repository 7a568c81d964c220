/** Saves what the page made as a file, named after the section that it is of. */
export function saveFile(blob: Blob, section: Element | null, ending: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${nameOf(section)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** `spend-per-day` */
function nameOf(section: Element | null): string {
  const title = section?.querySelector('h2')?.textContent ?? 'pi-ledger';
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');
}
