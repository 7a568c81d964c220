/** Letters as keys can be switched off: those who speak to their computer type them by accident. */

const key = 'pi-ledger-letters';

export function areLettersOff(): boolean {
  return localStorage.getItem(key) === 'off';
}

export function switchLetters(): void {
  if (areLettersOff()) localStorage.removeItem(key);
  else localStorage.setItem(key, 'off');
}
