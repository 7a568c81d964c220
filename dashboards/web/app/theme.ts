/** Light or dark: as the system says, or as was chosen here. */

const key = 'pi-ledger-theme';

/** What was chosen in this browser before. */
export function restoreTheme(): void {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}

/** The other one; the system's again, where that is the other one. */
export function switchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const shown = document.documentElement.dataset.theme ?? system;
  const next = shown === 'dark' ? 'light' : 'dark';
  if (next === system) {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(key, next);
    document.documentElement.dataset.theme = next;
  }
}
