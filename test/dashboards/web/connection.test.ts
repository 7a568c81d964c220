import { describe, expect, it } from 'vitest';
import { createConnection } from '../../../dashboards/web/app/connection.ts';

const stood = () => createConnection(() => new Date(42));

describe('how the page stands to the collector', () => {
  it('is live when the stream stands: it came with its answers', () => {
    const connection = stood();
    connection.hearLive(true);
    expect(connection.store.read()).toEqual({ is: 'live' });
  });

  it('stays with the old numbers when the stream is back, until an answer comes', () => {
    const connection = stood();
    connection.hearLive(true);
    connection.hearLive(false);
    connection.hearLive(true);
    expect(connection.store.read()).toEqual({ is: 'offline', since: 42 });
    connection.hear({ is: 'answered', body: {} });
    expect(connection.store.read()).toEqual({ is: 'live' });
  });
});
