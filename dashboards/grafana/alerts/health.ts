/** Alerts on the ledger itself: `job="pi-ledger/collector"`. */
import { healthMetrics } from '@pi-ledger/contract/telemetry/health-metrics';
import { seriesOf } from './query.ts';
import type { AlertRule } from './rule.ts';

const {
  subscriberFailing,
  subscriberLag,
  subscriberLost,
  viewLag,
  viewSetAside,
  producersDropped,
  producersSilent,
  spoolSize,
  deadLetters,
  deadLettersLost,
  leader,
  ready,
} = healthMetrics;

/** More than a busy team sends in an hour. */
const lagMax = 20_000;

export const healthAlerts: readonly AlertRule[] = [
  {
    name: 'CollectorGone',
    severity: 'critical',
    expr: `absent_over_time(${seriesOf(leader)}[15m])`,
    forMinutes: 5,
    summary: 'The ledger tells nothing of itself any more',
    description:
      'The collector does not run, or its telemetry does not arrive. Extensions keep their ' +
      'events until it is back: `pi-ledger doctor`.',
  },
  {
    name: 'NobodyLeads',
    severity: 'critical',
    expr: `max by (job) (${seriesOf(leader)}) == 0`,
    forMinutes: 5,
    summary: 'All collectors are on standby: none writes',
    description: 'Nothing is folded and nothing exported. The log of a collector says why.',
  },
  {
    name: 'NotReady',
    severity: 'critical',
    expr: `min by (job, instance) (${seriesOf(ready)}) == 0`,
    forMinutes: 5,
    summary: '{instance} cannot do its work',
    description:
      'A collector whose store or views are in trouble, or a gateway without brokers: its ' +
      '`/health/ready` says which. Extensions keep what nobody takes in.',
  },
  {
    name: 'EventsDropped',
    severity: 'critical',
    expr: `${seriesOf(producersDropped)} > 0`,
    forMinutes: 5,
    summary: '{value} events could not be recorded: {pi_ledger_reason}',
    description:
      'Agents could not write them down, so totals lack what they spent. `pi-ledger import` ' +
      'reads it from the session files; `spoolFull`: see `spoolBytesMax`.',
  },
  {
    name: 'ProducerSilent',
    severity: 'warning',
    expr: `${seriesOf(producersSilent)} > 0 and delta(${seriesOf(spoolSize)}[15m]) > 0`,
    forMinutes: 10,
    summary: '{value} producers send nothing, while their spool grows',
    description:
      'Their events are on disk and wait: the token or the address of an extension may be wrong. ' +
      '`pi-ledger doctor`, as their user.',
  },
  {
    name: 'EventsRejected',
    severity: 'warning',
    expr: `${seriesOf(deadLetters)} > 0`,
    forMinutes: 15,
    summary: '{value} rejected events wait for a decision',
    description: '`pi-ledger rejected list` says why; `rejected retry` tries them again.',
  },
  {
    name: 'RejectedEventsLost',
    severity: 'critical',
    expr: `increase(${seriesOf(deadLettersLost)}[1h]) > 0`,
    forMinutes: 5,
    summary: 'Rejected events were lost, since there was no room to keep them',
    description: 'Look at `pi-ledger rejected list`, and retry or remove what is there.',
  },
  {
    name: 'ViewLags',
    severity: 'warning',
    expr: `${seriesOf(viewLag)} > ${lagMax}`,
    forMinutes: 15,
    summary: 'The view {pi_ledger_view} is {value} events behind',
    description:
      'Reports are of a while ago. After an upgrade or new rules a view catches up alone.',
  },
  {
    name: 'ViewLacksEvents',
    severity: 'warning',
    expr: `${seriesOf(viewSetAside)} > 0`,
    forMinutes: 5,
    summary: 'The view {pi_ledger_view} lacks {value} events that it could not fold',
    description: '`pi-ledger doctor` says more; `pi-ledger rebuild` tries again after an upgrade.',
  },
  {
    name: 'ExportFails',
    severity: 'warning',
    expr: `${seriesOf(subscriberFailing)} > 0`,
    forMinutes: 10,
    summary: 'The exporter {pi_ledger_subscriber} does not advance',
    description:
      'Its endpoint is down or refuses. It goes on where it stopped; what `seal` deletes before ' +
      'is lost to it. `pi-ledger doctor` says what the endpoint answered.',
  },
  {
    name: 'ExportLags',
    severity: 'warning',
    expr: `${seriesOf(subscriberLag)} > ${lagMax}`,
    forMinutes: 15,
    summary: 'The exporter {pi_ledger_subscriber} is {value} events behind',
    description: 'What it exports is of a while ago.',
  },
  {
    name: 'ExportLoses',
    severity: 'warning',
    expr: `increase(${seriesOf(subscriberLost)}[1h]) > 0`,
    forMinutes: 5,
    summary: 'The exporter {pi_ledger_subscriber} lost something: {pi_ledger_reason}',
    description:
      '`passedOver`: `seal` deleted events before they were sent. Else the endpoint does not ' +
      'take spans or log records; the log and `pi-ledger doctor` say what it answered.',
  },
];
