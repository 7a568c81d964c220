/**
 * What every exporter does with its endpoint, whatever it sends: against a real server, in a whole
 * collector with its store.
 */
import { describe } from 'vitest';
import { beginnings } from './beginnings.ts';
import { deliveries } from './deliveries.ts';
import { failures } from './failures.ts';
import { createKit, type ExporterUnderTest } from './kit.ts';

export function exporterSuite(exporter: ExporterUnderTest): void {
  const kit = createKit(exporter);
  describe(`the exporter of ${exporter.signal}`, () => {
    deliveries(kit);
    failures(kit);
    beginnings(kit);
  });
}
