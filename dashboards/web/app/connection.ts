/** How the page stands to the collector, from what it hears. */
import type { Outcome } from '../api/client.ts';
import type { Connection } from '../state/page.ts';
import { createStore, type Store } from '../state/store.ts';

interface HeardConnection {
  readonly store: Store<Connection>;
  /** An answer, or why there is none. */
  hear(outcome: Outcome): void;
  /** Whether the stream stands. What is old stays so until an answer has come. */
  hearLive(isConnected: boolean): void;
  /** Nothing is known any more. */
  restart(): void;
}

export function createConnection(now: () => Date): HeardConnection {
  const store = createStore<Connection>({ is: 'connecting' });
  const goOffline = () => {
    if (store.read().is === 'offline' || store.read().is === 'signIn') return;
    store.write({ is: 'offline', since: now().getTime() });
  };
  return {
    store,
    hear(outcome) {
      if (outcome.is === 'answered') {
        if (store.read().is !== 'live') store.write({ is: 'live' });
      } else if (outcome.problem.is === 'signIn') {
        store.write({ is: 'signIn', message: outcome.problem.message });
      } else if (outcome.problem.is === 'offline') goOffline();
    },
    hearLive(isConnected) {
      if (!isConnected) goOffline();
      else if (store.read().is === 'connecting') store.write({ is: 'live' });
    },
    restart() {
      store.write({ is: 'connecting' });
    },
  };
}
