/** Starts the page: its state, the answers it came with, and the stream of what is new. */
import { render } from 'preact';
import { createAnswers } from './api/answers.ts';
import { createClient, firstAnswers } from './api/client.ts';
import { followLive } from './api/live.ts';
import { paced } from './api/paced.ts';
import { App } from './app/app.tsx';
import { createConnection } from './app/connection.ts';
import { listenToKeys } from './app/keys.ts';
import { createNavigation } from './app/navigation.ts';
import { restoreTheme } from './app/theme.ts';
import { type Heard, type Page, PageProvider, type PaletteMode } from './state/page.ts';
import { createStore } from './state/store.ts';

const client = createClient((input, init) => fetch(input, init));
const now = () => new Date();
const connection = createConnection(now);
const navigation = createNavigation(window);
const answers = createAnswers({
  client,
  first: firstAnswers(document.getElementById('first-answers')?.textContent ?? null),
  now: () => now().getTime(),
  onOutcome: connection.hear,
});

const heard = createStore<Heard | null>(null);
let isSignedIn = false;
const page: Page = {
  place: navigation.place,
  go: navigation.go,
  answers,
  post: client.post,
  hideInsight: client.hideInsight,
  connection: connection.store,
  heard,
  palette: createStore<PaletteMode | null>(null),
  isSignedIn: () => isSignedIn,
  signIn(token) {
    isSignedIn = token !== null;
    client.setToken(token);
    answers.clear();
    connection.restart();
    void answers.refresh();
    follow();
  },
  now,
};

const refresh = paced({
  async act() {
    await answers.refresh();
    return document.visibilityState === 'hidden' || !answers.isUnanswered();
  },
  now: () => performance.now(),
  wait,
});

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => resolve());
  });
}

let following = new AbortController();
function follow(): void {
  following.abort();
  following = new AbortController();
  void followLive(
    {
      client,
      onChange: refresh,
      onPosition: (position, isNew) =>
        heard.write({ position, at: isNew ? now().getTime() : null }),
      onConnected: connection.hearLive,
      wait,
    },
    following.signal,
  );
}

// Browsers allow six connections to one collector: those of tabs that nobody sees would fill them.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') {
    follow();
    refresh();
  } else following.abort();
});
restoreTheme();
listenToKeys(page);
render(
  <PageProvider value={page}>
    <App />
  </PageProvider>,
  document.body,
);
follow();
