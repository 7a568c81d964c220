/** Goes anywhere by a few letters: views, projects, sessions, models, people, periods, commands. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api/ask.ts';
import { billingWords } from '../format/spend.ts';
import { MoneyOrNone } from '../parts/money.tsx';
import { Name } from '../parts/name.tsx';
import { type PaletteMode, useAnswer, usePage, useStore } from '../state/page.ts';
import { withParameters } from '../state/place.ts';
import { between, type FilterName, periodIn } from '../state/scope.ts';
import { todayIn } from '../state/today.ts';
import { budgetsAsk } from '../views/overview/asks.ts';
import { useIsCounting } from '../views/overview/counting.ts';
import { KeysHelp } from './keys-help.tsx';
import {
  budgetItems,
  fixedItems,
  type Item,
  matching,
  periodItems,
  sessionItems,
  usageItems,
} from './palette-items.ts';
import { nothingFound } from './typed-period.ts';

export function Palette({ mode }: { mode: PaletteMode }): JSX.Element {
  const page = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => page.palette.write(null);
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={mode === 'keys' ? 'Keys' : 'Go to, or search'}
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
      onKeyDown={(event) => {
        event.stopPropagation();
        // At once: the browser's own `close` comes after keys that are pressed right away.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
    >
      {mode === 'keys' ? (
        <KeysHelp />
      ) : (
        <Search only={mode === 'all' ? null : mode} close={close} />
      )}
    </dialog>
  );
}

interface SearchProps {
  /** Everything is searched when it is null. */
  readonly only: FilterName | null;
  close(): void;
}

function Search({ only, close }: SearchProps): JSX.Element {
  const page = usePage();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const today = todayIn(page.now().getTime(), page.place.read().parameters.tz);
  const listed = matching([...useItems(only), ...(only === null ? sessionItems(text) : [])], text);
  const found = only === null ? [...periodItems(text, today.day), ...listed] : listed;
  const current = found[Math.min(chosen, found.length - 1)];
  const addFilter = (item: Item) => {
    if (item.asFilter !== undefined) page.go(withParameters(page.place.read(), item.asFilter));
  };
  const take = (item: Item | undefined, how: 'open' | 'filter') => {
    if (item === undefined) return;
    close();
    if (how === 'filter' || only !== null) addFilter(item);
    else item.act(page);
  };
  return (
    <>
      <input
        autofocus
        type="text"
        role="combobox"
        aria-label="Go to, or search"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={current === undefined ? undefined : `found ${current.id}`}
        placeholder="Go to, or search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) setChosen(Math.max(0, Math.min(found.length - 1, chosen + step)));
          else if (event.key === 'Enter') take(current, 'open');
          else if (event.key === 'Tab' && current?.asFilter !== undefined) take(current, 'filter');
          else return;
          event.preventDefault();
        }}
      />
      <div id="found" role="listbox" aria-label="Found">
        {found.map((item) => (
          <Found
            key={item.id}
            item={item}
            isChosen={item === current}
            take={() => take(item, 'open')}
          />
        ))}
      </div>
      <p class="note">
        {found.length === 0 ? `${nothingFound(text)} ` : ''}
        <kbd>Enter</kbd> opens, <kbd>Tab</kbd> adds a filter, <kbd>Esc</kbd> closes
      </p>
    </>
  );
}

interface FoundProps {
  readonly item: Item;
  readonly isChosen: boolean;
  take(): void;
}

function Found({ item, isChosen, take }: FoundProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
    <div
      class="found"
      id={`found ${item.id}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={take}
    >
      <span class="note">{item.kind}</span>
      <Name of={item.name} />
      <span class="amounts">
        {item.hint !== undefined && <kbd>{item.hint}</kbd>}
        {item.words !== undefined && <span class="note">{item.words}</span>}
        {item.spent?.map(({ billing, amount }) =>
          billing === 'metered' ? (
            <MoneyOrNone key={billing} {...amount} />
          ) : (
            <span key={billing} class="note">
              <MoneyOrNone {...amount} /> {billingWords[billing]}
            </span>
          ),
        )}
      </span>
    </div>
  );
}

const namesMax = 200;

function useItems(only: FilterName | null): readonly Item[] {
  const page = usePage();
  const place = useStore(page.place);
  const today = todayIn(page.now().getTime(), place.parameters.tz);
  const period = { ...between(periodIn(place, today)), limit: namesMax };
  const by = (name: FilterName) => ask('/v1/usage', { by: name, ...period });
  const names = {
    project: useAnswer(by('project')),
    user: useAnswer(by('user')),
    provider: useAnswer(by('provider')),
    model: useAnswer(by('model')),
    host: useAnswer(by('host')),
  };
  const isCounting = useIsCounting();
  const items = (name: FilterName) => usageItems(name, names[name].answer?.rows ?? [], isCounting);
  const budgets = budgetItems(useAnswer(budgetsAsk).answer?.rows ?? []);
  if (only !== null) return items(only);
  const named = [...items('project'), ...items('model'), ...items('provider'), ...items('user')];
  return [...fixedItems(today.day), ...budgets, ...named];
}
