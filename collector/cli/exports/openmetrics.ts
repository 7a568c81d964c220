/**
 * `export-openmetrics`: what was spent as OpenMetrics text with times, for a Prometheus that did
 * not ask then. Memory holds the rows of one project.
 */

import { exactUsd } from '@pi-ledger/contract/amounts';
import type { UsageFigures } from '@pi-ledger/contract/answers';
import { askStoreId, leftOutNotes, readLeftOut } from '../client/left-out.ts';
import { standingNotes } from '../client/standing.ts';
import { filterParameters } from '../filters.ts';
import type { Note } from '../output/answer-parts.ts';
import { countOf } from '../output/counts.ts';
import type { FileExporter } from './exporter.ts';
import { createHistoryWriter, type HistorySums } from './openmetrics/history.ts';
import { historyDimensions } from './openmetrics/series.ts';
import { usageRowPages } from './row-pages.ts';

/** In the spender's own days, as `report`. */
export const exportOpenMetrics: FileExporter = async ({ client, terminal, options, write }) => {
  const parameters = filterParameters(options, terminal.now());
  const notes = [
    ...(await standingNotes(client)),
    ...leftOutNotes(await readLeftOut(terminal, client)),
  ];
  const { loadCollectorConfig } = await import('../../config/config.ts');
  const { metricUsers, telemetry } = loadCollectorConfig(terminal.env);
  const users = metricUsers ? (['user'] as const) : [];
  const history = await createHistoryWriter({
    job: jobName(telemetry.resource),
    instance: `history/${parameters.get('since')}/${await askStoreId(client)}`,
    nowMs: terminal.now().getTime(),
  });
  try {
    const report = await client.getAll('/v1/usage', having(parameters, 'by', 'project'));
    for (const { project = null } of report.rows) {
      const ofProject = having(parameters, 'project', project ?? '');
      await history.addProject(usageRowPages(client, [...historyDimensions, ...users], ofProject));
    }
    const sums = await history.writeTo(write);
    const differences = differencesFrom(report.total, sums);
    return {
      text:
        `${countOf(sums.samples, 'sample')} of ${countOf(sums.series, 'series', 'series')}: ` +
        `$${exactUsd(sums.metered)} metered, $${exactUsd(sums.subscription)} by subscriptions` +
        (sums.unknown === 0n ? '' : `, $${exactUsd(sums.unknown)} of unknown billing`),
      summary: summarize(sums),
      notes: [...notes, ...differences, liveNote],
      isIncomplete: notes.length + differences.length > 0,
    };
  } finally {
    await history.remove();
  }
};

/** That of the live metrics, as `OTEL_SERVICE_NAME` and its like name it. */
function jobName(resource: ReadonlyMap<string, string>): string {
  const namespace = resource.get('service.namespace') ?? 'pi-ledger';
  return `${namespace}/${resource.get('service.name') ?? 'agents'}`;
}

function having(parameters: URLSearchParams, name: string, value: string): URLSearchParams {
  const more = new URLSearchParams(parameters);
  more.set(name, value);
  return more;
}

function summarize({ series, samples, metered, subscription, unknown }: HistorySums): object {
  return {
    series,
    samples,
    meteredUsd: exactUsd(metered),
    subscriptionUsd: exactUsd(subscription),
    unknownBillingUsd: exactUsd(unknown),
  };
}

/** Events that arrive meanwhile, or groups that this token is not told of. */
function differencesFrom(report: UsageFigures, sums: HistorySums): readonly Note[] {
  const isSame =
    BigInt(report.meteredNanoUsd) === sums.metered &&
    BigInt(report.subscriptionNanoUsd) === sums.subscription &&
    BigInt(report.unknownBillingNanoUsd) === sums.unknown;
  if (isSame) return [];
  const metered = exactUsd(BigInt(report.meteredNanoUsd));
  return [
    {
      is: 'warning',
      text:
        `its sums are not those of the report before it ($${metered} metered): something was ` +
        'recorded meanwhile, or this token is not told of small groups',
    },
  ];
}

const liveNote: Note = {
  text:
    'Live metrics go on from their first export: end the history on the day before (--until), ' +
    'or what is in both counts twice.',
};
