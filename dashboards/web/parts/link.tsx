/** Links between views. The scope goes along. */
import type { ComponentChildren, JSX } from 'preact';
import { usePage, useStore } from '../state/page.ts';
import { type Parameters, scopeOf, urlOf } from '../state/place.ts';
import type { ViewName } from '../views/names.ts';

export interface LinkProps {
  readonly view: ViewName;
  readonly id?: string | null;
  /** Beside the scope, or instead of parts of it. */
  readonly parameters?: Parameters;
  readonly class?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

export function Link({
  view,
  id = null,
  parameters = {},
  current,
  ...rest
}: LinkProps): JSX.Element {
  const page = usePage();
  const place = useStore(page.place);
  const target = { view, id, parameters: { ...scopeOf(place), ...parameters } };
  return (
    <a
      class={rest.class ?? 'link'}
      href={urlOf(target)}
      aria-current={current === true ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        page.go(target);
      }}
    >
      {rest.children}
    </a>
  );
}
