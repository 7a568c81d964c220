/** Where the page is opened, and what each place asks: at once, and when its parts are drawn. */
import { type Ask, ask } from '../../../dashboards/web/api/ask.ts';
import { asksOf } from '../../../dashboards/web/first-asks.ts';
import { periodOf } from '../../../dashboards/web/state/period.ts';
import { type Place, placeOf } from '../../../dashboards/web/state/place.ts';
import { between } from '../../../dashboards/web/state/scope.ts';
import { todayIn } from '../../../dashboards/web/state/today.ts';
import * as compactions from '../../../dashboards/web/views/compactions/asks.ts';
import { anySessionAsk } from '../../../dashboards/web/views/first/asks.ts';
import * as models from '../../../dashboards/web/views/models/asks.ts';
import type { ViewName } from '../../../dashboards/web/views/names.ts';
import * as overview from '../../../dashboards/web/views/overview/asks.ts';
import * as projects from '../../../dashboards/web/views/projects/asks.ts';
import * as sessions from '../../../dashboards/web/views/sessions/asks.ts';
import type { Today } from '../../../dashboards/web/views/view.ts';
import { session as longSession } from '../context/session.ts';
import { days, firstDay, projectName, userName } from '../overview/work.ts';

const dayMs = 86_400_000;
/** In the afternoon of the last day that has work. */
const nowMs = Date.parse(firstDay) + days * dayMs + 15 * 3_600_000;
const timeZone = 'UTC';

const filters = ['', 'range=7d', 'range=90d', `user=${userName(7)}`, 'model=demo-large'];
export const longPath = `/sessions/${longSession}`;
const project = `/projects/${projectName(7)}`;

/** `usual`: the id of some session of usual length. */
export function placesOf(usual: string): readonly string[] {
  const within = (path: string, queries: readonly string[]) =>
    queries.map((query) => (query === '' ? path : `${path}?${query}`));
  const ofProject = `project=${projectName(7)}`;
  const costliest = ['metered', 'subscription'].map((name) => `sort=sessions:${name}`);
  return [
    ...within('/', [...filters, ofProject, 'by=user', 'by=model', 'tz=Europe/Berlin']),
    ...within('/', ['label:team=core']),
    ...within('/projects', filters),
    ...within(project, [...filters, 'by=model', 'of=commit', 'of=label:team', 'order=newest']),
    ...within('/sessions', [
      ...filters,
      ofProject,
      ...costliest,
      'range=90d&sort=sessions:metered',
    ]),
    ...within(longPath, ['', 'turns=costliest', 'turns=misses']),
    `/sessions/${usual}`,
    ...within('/compactions', [...filters, ofProject, 'only=lost']),
    ...within('/models', filters),
    '/budgets',
    '/health',
  ];
}

/** Each URL once, in the order in which they are asked. */
export function asksAt(url: string, atMs = nowMs): readonly string[] {
  const place = placeOf(url);
  if (place === null) throw new Error(`${url} is no view`);
  const today = todayIn(atMs, place.parameters.tz ?? timeZone);
  const later = laterAsks[place.view]?.(place, today) ?? [];
  return [...new Set([...asksOf(url, atMs, timeZone), ...later.map((each) => each.url)])];
}

const rangeShown = `range=${firstDay}..${new Date(nowMs).toISOString().slice(0, 10)}`;

/** What a browser opens, by the collector's own clock. */
export const paintedPlaces: readonly string[] = [
  `/?${rangeShown}`,
  `/projects?${rangeShown}`,
  `/sessions?${rangeShown}&sort=sessions:metered`,
  longPath,
];

type LaterAsks = (place: Place, today: Today) => readonly Ask<unknown>[];

/** As many as a chart has series. */
const names = [0, 1, 2, 3, 4].map(projectName);

const laterAsks: Partial<Record<ViewName, LaterAsks>> = {
  overview: (place, today) => [
    anySessionAsk,
    overview.seriesAsk(place, today, 'project', names),
    overview.heatAsk(place, today),
    overview.insightsAsk(place, today),
    ...overview.weekdayAsks(place, today),
    ...paletteAsks(place, today),
  ],
  projects: (place, today) =>
    place.id === null
      ? []
      : [
          projects.namesAsk(place, today, projects.partedBy(place)),
          projects.namesAsk(place, today, projects.stackedBy(place)),
          projects.namesBeforeAsk(place, today, 'branch'),
          projects.seriesAsk(place, today, 'branch', ['main', 'feature/one', 'fix/two']),
          projects.sessionsAsk(place, today, 'metered'),
        ],
  sessions: (place, today) =>
    place.id === null
      ? [sessions.listContextAsk(place, today)]
      : [sessions.turnsAsk(place), sessions.treeAsk(place.id)],
  compactions: (place, today) => compactionsMore(place, today),
  models: (place, today) => [
    models.chargesAsk(place, today, { provider: 'demo-anthropic', model: 'demo-large' }),
  ],
};

function compactionsMore(place: Place, today: Today): readonly Ask<unknown>[] {
  return compactions.narrowings.map(({ value }) => compactions.compactionsAsk(place, today, value));
}

/** What the palette offers. */
function paletteAsks({ parameters }: Place, { day }: Today): readonly Ask<unknown>[] {
  const period = { ...between(periodOf(parameters.range, day)), limit: 200 };
  return ['project', 'user', 'provider', 'model', 'host'].map((by) =>
    ask('/v1/usage', { by, ...period }),
  );
}
