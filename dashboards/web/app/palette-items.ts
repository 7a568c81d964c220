/** What the palette offers. */
import type { Budget, UsageRow } from '@pi-ledger/contract/answers';
import { shareText } from '../../../core/text/share-text.ts';
import { formatAmount, verdictOf } from '../format/budget.ts';
import type { Page } from '../state/page.ts';
import { periodOf, ranges } from '../state/period.ts';
import { type Place, scopeOf, withParameters } from '../state/place.ts';
import type { FilterName } from '../state/scope.ts';
import { viewNames } from '../views/names.ts';
import { type BilledAmount, shownAmounts } from '../views/overview/sums.ts';
import { views } from '../views/registry.ts';
import { keyBindings } from './keys.ts';
import { isDayBegun, typedPeriod } from './typed-period.ts';

export interface Item {
  readonly id: string;
  /** `Project`, `Go to`: what kind of thing it is. */
  readonly kind: string;
  readonly name: string;
  /** At the right: a key, or what was spent. */
  readonly hint?: string;
  /** Beside it. */
  readonly words?: string;
  /** What was spent, the main kind of money first. */
  readonly spent?: readonly BilledAmount[];
  act(page: Page): void;
  /** By `Tab`; absent: it is no filter. */
  readonly asFilter?: Readonly<Record<string, string>>;
}

/** What is always there. */
export function fixedItems(today: string): readonly Item[] {
  const goTo = viewNames.map((view) => ({
    id: `view ${view}`,
    kind: 'Go to',
    name: views[view].title,
    hint: `g ${views[view].key}`,
    act: (page: Page) => page.go({ view, id: null, parameters: scopeOf(page.place.read()) }),
  }));
  const periods = ranges.map((range) => ({
    id: `range ${range}`,
    kind: 'Period',
    name: periodOf(range, today).words,
    act: (page: Page) => page.go(withParameters(page.place.read(), { range })),
  }));
  const commands = keyBindings
    .filter(({ keys }) => !/^(g |\/|Escape)/.test(keys))
    .map(({ keys, words, act }) => ({
      id: `key ${keys}`,
      kind: 'Do',
      name: words,
      hint: keys,
      act,
    }));
  return [...goTo, ...periods, ...commands];
}

const kinds: Readonly<Record<FilterName, string>> = {
  project: 'Project',
  user: 'Person',
  provider: 'Provider',
  model: 'Model',
  host: 'Host',
};

/** Rows of usage by `by`, as what one can go to or filter by. */
export function usageItems(
  by: FilterName,
  rows: readonly UsageRow[],
  isCounting: boolean,
): readonly Item[] {
  return rows.flatMap((row) => {
    const name = row[by];
    if (name === null || name === undefined) return [];
    const asFilter = { [by]: name };
    return [
      {
        id: `${by} ${name}`,
        kind: kinds[by],
        name,
        spent: shownAmounts(row, isCounting),
        act: (page: Page) => page.go(placeOfName(page.place.read(), by, name)),
        asFilter,
      },
    ];
  });
}

function placeOfName(place: Place, by: FilterName, name: string): Place {
  return by === 'project'
    ? { view: 'projects', id: name, parameters: scopeOf(place) }
    : withParameters({ ...place, id: null }, { [by]: name });
}

/** Budgets, with what is used of each and its state. */
export function budgetItems(rows: readonly Budget[]): readonly Item[] {
  return rows.map((budget) => {
    const { name, used, usedShare, limit, unit } = budget;
    const share = used === null || usedShare === null ? 'n/a' : shareText(usedShare);
    const words = [`${share} of ${formatAmount(limit, unit)}`, verdictOf(budget)?.words ?? []];
    return {
      id: `budget ${name}`,
      kind: 'Budget',
      name,
      words: words.flat().join(', '),
      act: (page: Page) =>
        page.go({
          view: 'budgets',
          id: null,
          parameters: { ...scopeOf(page.place.read()), show: name },
        }),
    };
  });
}

/** What was typed may be a period. */
export function periodItems(text: string, today: string): readonly Item[] {
  const typed = typedPeriod(text, today);
  if (typed === null) return [];
  const { range, name } = typed;
  return [
    {
      id: `range ${range}`,
      kind: 'Period',
      name,
      act: (page) => page.go(withParameters(page.place.read(), { range })),
    },
  ];
}

/** What was typed may be the beginning of a session's id. */
export function sessionItems(text: string): readonly Item[] {
  if (!/^[0-9a-f][0-9a-f-]{3,}$/i.test(text) || isDayBegun(text)) return [];
  return [
    {
      id: `session ${text}`,
      kind: 'Session',
      name: text,
      act: (page) =>
        page.go({ view: 'sessions', id: text, parameters: scopeOf(page.place.read()) }),
    },
  ];
}

const shownMax = 12;

/** Those with all the words that were typed; those that begin with them first. */
export function matching(items: readonly Item[], text: string): readonly Item[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const rank = (item: Item) => (item.name.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  return items
    .filter((item) => {
      const all = `${item.kind} ${item.name}`.toLowerCase();
      return words.every((word) => all.includes(word));
    })
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, shownMax);
}
