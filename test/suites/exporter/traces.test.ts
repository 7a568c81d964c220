import { exampleEvent } from '../../collector/support/events.ts';
import { exporterSuite } from './suite.ts';

/** Answers of an importer wait for no duration. */
exporterSuite({
  signal: 'traces',
  eventOf: (number, place) =>
    exampleEvent({ number, ...place, source: '/importers/pi', sequence: 0 }),
});
