/** Ways from one dashboard to another with what was chosen, to the page and to the API. */
import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { ledgerVariable, prometheusVariable } from './datasources.ts';

export interface Link {
  readonly title: string;
  readonly url: string;
}

/** A view of the built-in page. */
export type View = '/' | '/projects' | '/compactions' | '/models' | '/budgets' | '/health';

/** The collector's address as a browser reaches it. */
export const collectorVariable = 'collector';

const page = `\${${collectorVariable}}`;
const sameDays = `range=\${__from:date:YYYY-MM-DD}..\${__to:date:YYYY-MM-DD}`;

/** Above every dashboard: the others, with the same range and filters; the page; and the API. */
export function linksBetween(view: View): DashboardLinkBuilder[] {
  return [
    new DashboardLinkBuilder('pi-ledger')
      .type(DashboardLinkType.Dashboards)
      .tags(['pi-ledger'])
      .includeVars(true)
      .keepTime(true),
    outward(
      'The page',
      urlOf(view),
      'The same in the ledger: every figure, and what is behind it.',
    ),
    outward(
      'The API',
      `${page}/openapi.json`,
      'Every figure of these dashboards can be asked of the collector.',
    ),
  ];
}

/** Above one panel. */
export function linkTo(view: View): DashboardLinkBuilder {
  return outward('In the ledger', urlOf(view), 'The same, and what is behind it.');
}

function outward(title: string, url: string, tooltip: string): DashboardLinkBuilder {
  return new DashboardLinkBuilder(title)
    .type(DashboardLinkType.Link)
    .icon('external link')
    .tooltip(tooltip)
    .url(url)
    .targetBlank(true);
}

function urlOf(view: View): string {
  return `${page}${view}?${sameDays}`;
}

/** In a column of projects or sessions; the hidden one beside it has the path. */
export function toPage(view: 'projects' | 'sessions', column: string): Link {
  const path = `\${__data.fields["${column} path"]}`;
  return { title: 'In the ledger', url: `${page}/${view}/${path}?${sameDays}` };
}

const chosen = `\${${prometheusVariable}:queryparam}&\${${ledgerVariable}:queryparam}`;

/** In a column of projects: the dashboard. */
export const toProject: Link = {
  title: 'Project',
  url: `/d/pi-ledger-project?var-project=\${__value.raw}&${chosen}&\${__url_time_range}`,
};

/** In a column of models: the dashboard. */
export const toModel: Link = {
  title: 'Models and tools',
  url: `/d/pi-ledger-models?var-model=\${__value.raw}&${chosen}&\${__url_time_range}`,
};

/** In a column of models. */
export const toModels: Link = { title: 'In the ledger', url: urlOf('/models') };

/** In a column of compactions. */
export const toCompaction: Link = {
  title: 'In the ledger',
  url: `${urlOf('/compactions')}&show=\${__value.raw}`,
};
