/** Letters and signs that do something anywhere on the page, alone or one after the other. */

import { copyText } from '../parts/clipboard.ts';
import { moveRowCursor } from '../parts/row-cursor.ts';
import type { Page } from '../state/page.ts';
import { periodAfter, periodBefore, rangeOf } from '../state/period.ts';
import { type Place, scopeOf, withParameters } from '../state/place.ts';
import { periodIn } from '../state/scope.ts';
import { todayIn } from '../state/today.ts';
import { type ViewName, viewNames } from '../views/names.ts';
import { views } from '../views/registry.ts';
import { areLettersOff } from './letters.ts';
import { switchTheme } from './theme.ts';

export interface KeyBinding {
  /** One key, or two, one after the other: `g o`. */
  readonly keys: string;
  readonly words: string;
  act(page: Page): void;
}

const groupings = {
  p: 'project',
  m: 'model',
  v: 'provider',
  u: 'user',
  k: 'kind',
  a: 'agent',
} as const;

export const keyBindings: readonly KeyBinding[] = [
  { keys: '/', words: 'Go to, or search', act: (page) => page.palette.write('all') },
  ...viewNames.map((view) => ({
    keys: `g ${views[view].key}`,
    words: views[view].title,
    act: (page: Page) => goTo(page, view),
  })),
  { keys: '[', words: 'The period before', act: (page) => shiftPeriod(page, periodBefore) },
  { keys: ']', words: 'The period after', act: (page) => shiftPeriod(page, periodAfter) },
  ...Object.entries(groupings).map(([key, by]) => ({
    keys: `b ${key}`,
    words: `By ${by}`,
    act: (page: Page) => set(page, { by }),
  })),
  { keys: '$', words: 'Dollars or tokens', act: switchUnit },
  { keys: 'j', words: 'The next row', act: () => moveRowCursor(1) },
  { keys: 'k', words: 'The row before', act: () => moveRowCursor(-1) },
  { keys: 'c l', words: 'Copy the link', act: () => copy(location.href) },
  { keys: 'c v', words: 'Save as CSV', act: () => press('csv') },
  { keys: 'c m', words: 'Copy the command', act: () => press('command') },
  { keys: 'c p', words: 'Save the chart as a picture', act: () => press('png') },
  { keys: 't', words: 'Light or dark', act: switchTheme },
  { keys: '?', words: 'All keys', act: (page) => page.palette.write('keys') },
  { keys: 'Escape', words: 'Up', act: goUp },
];

const secondKeyMsMax = 1_500;

/** Ends by the result. */
export function listenToKeys(page: Page): () => void {
  let first = '';
  let at = 0;
  const onKey = (event: KeyboardEvent): void => {
    if ((event.metaKey || event.ctrlKey) && event.key === 'k') {
      event.preventDefault();
      page.palette.write('all');
      return;
    }
    if (isNotForUs(event)) return;
    const both = event.timeStamp - at < secondKeyMsMax ? `${first} ${event.key}` : event.key;
    const binding = bindingOf(both) ?? bindingOf(event.key);
    [first, at] = [event.key, event.timeStamp];
    if (binding === undefined) return;
    event.preventDefault();
    first = '';
    binding.act(page);
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

function bindingOf(keys: string): KeyBinding | undefined {
  return keyBindings.find((each) => each.keys === keys);
}

function isNotForUs(event: KeyboardEvent): boolean {
  const { target } = event;
  const isTyping = target instanceof Element && target.closest('input, select, textarea, dialog');
  const isLetter = /^[a-z]$/i.test(event.key);
  return isTyping !== null && isTyping !== false
    ? true
    : event.defaultPrevented ||
        event.metaKey ||
        event.ctrlKey ||
        event.altKey ||
        (isLetter && areLettersOff());
}

function goTo(page: Page, view: ViewName): void {
  page.go({ view, id: null, parameters: scopeOf(page.place.read()) });
}

function set(page: Page, changes: Readonly<Record<string, string | null>>): void {
  page.go(withParameters(page.place.read(), changes), 'replace');
}

function shiftPeriod(page: Page, shift: typeof periodBefore): void {
  const place = page.place.read();
  const period = periodIn(place, todayIn(page.now().getTime(), place.parameters.tz));
  page.go(withParameters(place, { range: rangeOf(shift(period)) }));
}

function switchUnit(page: Page): void {
  set(page, { unit: page.place.read().parameters.unit === 'tokens' ? null : 'tokens' });
}

/** From what is open to its list, and from there to the overview. */
function goUp(page: Page): void {
  const place = page.place.read();
  const up: Place = { ...place, id: null, parameters: scopeOf(place) };
  if (place.id !== null) page.go(up);
  else if (place.view !== 'overview') page.go({ ...up, view: 'overview' });
}

function copy(text: string): void {
  void copyText(text);
}

/** The first of its kind on the page. */
function press(kind: 'csv' | 'command' | 'png'): void {
  document.querySelector<HTMLElement>(`[data-copy="${kind}"]`)?.click();
}
