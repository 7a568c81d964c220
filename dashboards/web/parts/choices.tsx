/** One of several, as words: `by project model person`. The choice stands in the URL. */
import type { JSX } from 'preact';
import { usePage, useStore } from '../state/page.ts';
import { withParameters } from '../state/place.ts';

export interface ChoicesProps<Value extends string> {
  /** The parameter of the URL. */
  readonly parameter: string;
  /** Before the choices: `by`. */
  readonly word?: string;
  readonly among: readonly { readonly value: Value; readonly words: string }[];
  /** What stands without the parameter. */
  readonly otherwise: Value;
}

export function Choices<Value extends string>(props: ChoicesProps<Value>): JSX.Element {
  const { parameter, word, among, otherwise } = props;
  const page = usePage();
  const place = useStore(page.place);
  const chosen = place.parameters[parameter] ?? otherwise;
  return (
    <fieldset class="choices" aria-label={word ?? parameter}>
      {word !== undefined && <span class="word">{word}</span>}
      {among.map(({ value, words }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => {
            const text = value === otherwise ? null : value;
            page.go(withParameters(place, { [parameter]: text }), 'replace');
          }}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}

/** What is chosen, of those that can be. */
export function chosen<Value extends string>(
  text: string | undefined,
  among: readonly { readonly value: Value }[],
  otherwise: Value,
): Value {
  return among.find(({ value }) => value === text)?.value ?? otherwise;
}
