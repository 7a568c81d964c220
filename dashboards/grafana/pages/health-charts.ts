/** The collector's own health over time. */
import { lines } from '../kit/chart.ts';
import { second, solid } from '../kit/look.ts';
import type { Said, Sized } from '../kit/panel.ts';
import { health, healthBy, healthQuantile, healthRate, legend } from '../kit/promql.ts';

const window = '$__rate_interval';
const others = 'Collectors that do not send their own metrics.';

function over(said: Omit<Said, 'leftOut'>, expr: string, named: string): Sized {
  return lines({ leftOut: others, ...said }, [{ expr, legend: named }], 8);
}

export const ingest = [
  over(
    {
      title: 'Events offered',
      shows: 'Events in a second: accepted, already known, too old, or rejected.',
      unit: 'short',
    },
    healthBy('sum', ['pi.ledger.outcome'], healthRate('ingestEvents', window)),
    legend('pi.ledger.outcome'),
  ),
  lines(
    {
      title: 'Until a batch is durable',
      shows: 'Half and 95 of 100 batches of events were durable within this.',
      leftOut: others,
      unit: 's',
    },
    [
      { expr: healthQuantile(0.5, 'ingestDuration'), legend: 'half', color: solid },
      { expr: healthQuantile(0.95, 'ingestDuration'), legend: '95 of 100', color: second },
    ],
    8,
  ),
  over(
    {
      title: 'Batches that wait for the store',
      shows: 'The queue of the ingest: it is bounded, then senders wait.',
      unit: 'short',
    },
    `sum(${health('ingestInHand')})`,
    'waiting',
  ),
  over(
    {
      title: 'Rejected events that are kept',
      shows: 'Dead letters: with the reason, offered again when it may have ended.',
      unit: 'short',
    },
    `sum(${health('deadLetters')})`,
    'kept',
  ),
  over(
    {
      title: 'Rejected events that were lost',
      shows: 'Dead letters in an hour for which there was no room.',
      unit: 'short',
    },
    `sum(increase(${health('deadLettersLost')}[1h]))`,
    'lost',
  ),
  over(
    {
      title: 'Dropped by producers, by reason',
      shows: 'Events that the producers of the last 24 hours could not record.',
      unit: 'short',
    },
    healthBy('sum', ['pi.ledger.reason'], health('producersDropped')),
    legend('pi.ledger.reason'),
  ),
  over(
    {
      title: 'Spool on the machine of the collector',
      shows: 'What hosts have recorded and nobody has read yet.',
      unit: 'bytes',
    },
    `sum(${health('spoolSize')})`,
    'waiting',
  ),
  over(
    {
      title: 'Producers with events unsent',
      shows: 'Producers whose oldest unsent event has waited for 5 minutes or more.',
      unit: 'short',
    },
    `sum(${health('producersSilent')})`,
    'silent',
  ),
  over(
    {
      title: 'The oldest event in the spool',
      shows: 'How long it has waited, on the machine of the collector.',
      unit: 's',
    },
    `max(${health('spoolAge')})`,
    'waits',
  ),
];

export const steps = [
  over(
    {
      title: 'Store, 95 of 100 within',
      shows: 'Appends to the log, commits of views, and reads of the log.',
      unit: 's',
    },
    healthQuantile(0.95, 'storeDuration', ['pi.ledger.operation']),
    legend('pi.ledger.operation'),
  ),
  over(
    {
      title: 'Store, operations in a second',
      shows: 'How often the store was asked.',
      unit: 'short',
    },
    healthBy('sum', ['pi.ledger.operation'], healthRate('storeDuration', window, '_count')),
    legend('pi.ledger.operation'),
  ),
  over(
    {
      title: 'Behind the log, by view',
      shows: 'Events in the log that a view has not folded yet.',
      unit: 'short',
    },
    healthBy('max', ['pi.ledger.view'], health('viewLag')),
    legend('pi.ledger.view'),
  ),
  over(
    {
      title: 'Behind the log, by exporter',
      shows: 'Events in the log that an exporter has not sent yet.',
      unit: 'short',
    },
    healthBy('max', ['pi.ledger.subscriber'], health('subscriberLag')),
    legend('pi.ledger.subscriber'),
  ),
  over(
    {
      title: 'Exporters that fail',
      shows: '1: the exporter does not advance. 0: it does.',
      unit: 'short',
    },
    healthBy('max', ['pi.ledger.subscriber'], health('subscriberFailing')),
    legend('pi.ledger.subscriber'),
  ),
  over(
    {
      title: 'Lost by exporters, by reason',
      shows:
        'In an hour: events that retention deleted first, and what the endpoint does not take.',
      unit: 'short',
    },
    healthBy('sum', ['pi.ledger.reason'], `increase(${health('subscriberLost')}[1h])`),
    legend('pi.ledger.reason'),
  ),
  over(
    {
      title: 'Set aside, by view',
      shows: 'Events that a view lacks because they cannot be folded.',
      unit: 'short',
    },
    healthBy('max', ['pi.ledger.view'], health('viewSetAside')),
    legend('pi.ledger.view'),
  ),
  over(
    {
      title: 'Who writes',
      shows: '1: this collector writes. 0: it stands by.',
      unit: 'short',
    },
    `max by (instance) (${health('leader')})`,
    '{{instance}}',
  ),
  over(
    {
      title: 'Who can do its work',
      shows: '1: this collector or gateway is ready. 0: its `/health/ready` says why not.',
      unit: 'short',
    },
    `min by (instance) (${health('ready')})`,
    '{{instance}}',
  ),
];
