import { exampleEvent } from '../../collector/support/events.ts';
import { exporterSuite } from './suite.ts';

exporterSuite({
  signal: 'logs',
  eventOf: (number, place) =>
    exampleEvent({ number, ...place, sequence: 0, data: { stopReason: 'error' } }),
});
