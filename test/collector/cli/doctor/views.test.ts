import type { Health } from '@pi-ledger/contract/answers';
import { describe, expect, it } from 'vitest';
import { checkViews } from '../../../../collector/cli/doctor/views.ts';

const losses = { rejected: 0, refused: 0, message: null };
const well: Health = {
  ready: true,
  role: 'leader',
  problems: [],
  warnings: [],
  views: [
    { projection: 'sessions', position: 1_204, head: 1_204, setAside: { count: 0, events: [] } },
  ],
  subscribers: [
    { name: 'otlp-logs', position: 1_200, head: 1_204, failure: null, passedOver: 0, losses },
    { name: 'otlp-traces', position: null, head: 1_204, failure: null, passedOver: 0, losses },
  ],
};

const findingsOf = (health: Health) => checkViews({ getAnyway: async () => health });

const views = { check: 'views', state: 'good', detail: 'ready; 1,204 of 1,204 events processed' };

describe('doctor', () => {
  it('has a line for each exporter', async () => {
    expect(await findingsOf(well)).toEqual([
      views,
      {
        check: 'exporters',
        state: 'good',
        detail: 'otlp-logs has come to event 1,200 of 1,204',
      },
      { check: 'exporters', state: 'good', detail: 'otlp-traces has not begun' },
    ]);
  });

  it('shows what is wrong with exporters under their own name, and views as they are', async () => {
    const warnings = [
      'The subscriber otlp-logs is at 1200 of 1204 events and does not advance: HTTP 401',
      'The subscriber otlp-logs lacks events that were deleted before it read them: 3.',
      'Metrics are not sent: HTTP 401',
    ];
    expect(await findingsOf({ ...well, warnings })).toEqual([
      views,
      { check: 'exporters', state: 'bad', detail: `${warnings[0]} ${warnings[1]}` },
      { check: 'exporters', state: 'good', detail: 'otlp-traces has not begun' },
      { check: 'exporters', state: 'bad', detail: warnings[2] },
    ]);
  });

  it('has no such line where nothing is exported', async () => {
    expect(await findingsOf({ ...well, subscribers: [] })).toEqual([views]);
  });
});
