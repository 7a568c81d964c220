import { grouped } from '@pi-ledger/contract/amounts';
import type { Health } from '@pi-ledger/contract/answers';
import type { DoctorFinding } from './finding.ts';

/** A `LedgerClient` is one. */
interface HealthClient {
  getAnyway(path: '/health/ready'): Promise<Partial<Health>>;
}

/** Is the collector ready, are its views complete, and do its exporters advance? */
export async function checkViews(client: HealthClient): Promise<DoctorFinding[]> {
  const health = await client.getAnyway('/health/ready');
  const { subscribers = [], warnings = [] } = health;
  return [
    ...judgeViews(health),
    ...subscribers.map((each) => judgeExporter(each, health)),
    ...warnings
      .filter((warning) => warning.startsWith(metricsWarning))
      .map((detail): DoctorFinding => ({ check: 'exporters', state: 'bad', detail })),
  ];
}

const metricsWarning = 'Metrics are not sent: ';
/** The check `notices` says the same. */
const noticesWarning = 'Notices of budgets did not arrive at ';

type Subscriber = NonNullable<Health['subscribers']>[number];

/** Its warnings stand under its own check. */
function judgeExporter(
  { name, position, head }: Subscriber,
  { warnings = [] }: Partial<Health>,
): DoctorFinding {
  const own = warnings.filter((warning) => isAbout(warning, name));
  const at =
    position === null
      ? 'has not begun'
      : `has come to event ${grouped(position)} of ${grouped(head)}`;
  return own.length === 0
    ? { check: 'exporters', state: 'good', detail: `${name} ${at}` }
    : { check: 'exporters', state: 'bad', detail: own.join(' ') };
}

function isAbout(warning: string, name: string): boolean {
  return warning.startsWith(`The subscriber ${name} `);
}

function judgeViews(health: Partial<Health>): DoctorFinding[] {
  const { problems = [], views = [], subscribers = [], ready } = health;
  const warnings = (health.warnings ?? []).filter(
    (warning) =>
      !warning.startsWith(metricsWarning) &&
      !warning.startsWith(noticesWarning) &&
      !subscribers.some(({ name }) => isAbout(warning, name)),
  );
  const said = [...problems, ...warnings].map(
    (detail): DoctorFinding => ({ check: 'views', state: 'bad', detail }),
  );
  if (said.length > 0) return said;
  if (!ready)
    return [
      {
        check: 'views',
        state: 'bad',
        detail: 'the collector is not ready; this token may not learn why',
      },
    ];
  const position = Math.min(...views.map((view) => view.position));
  const detail =
    views.length === 0
      ? 'ready'
      : `ready; ${grouped(position)} of ${grouped(views[0]?.head ?? 0)} events processed`;
  return [{ check: 'views', state: 'good', detail }];
}
