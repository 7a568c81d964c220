/** The place, kept in the URL and in the history. */
import { type Place, placeOf, urlOf } from '../state/place.ts';
import { createStore, type Store } from '../state/store.ts';

export interface Navigation {
  readonly place: Store<Place>;
  go(place: Place, how?: 'push' | 'replace'): void;
}

const nowhere: Place = { view: 'nowhere', id: null, parameters: {} };

export function createNavigation(window: Window): Navigation {
  const here = () => placeOf(window.location.href) ?? nowhere;
  const place = createStore(here());
  window.addEventListener('popstate', () => place.write(here()));
  return {
    place,
    go(next, how = 'push') {
      const url = urlOf(next);
      if (how === 'replace') window.history.replaceState(null, '', url);
      else window.history.pushState(null, '', url);
      if (next.view !== place.read().view || next.id !== place.read().id) window.scrollTo(0, 0);
      place.write(next);
    },
  };
}
