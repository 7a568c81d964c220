/** Ways from one dashboard to another, with what was chosen, and to the API. */
import { DashboardLinkBuilder, DashboardLinkType } from '@grafana/grafana-foundation-sdk/dashboard';
import { ledgerVariable, prometheusVariable } from './datasources.ts';
import type { Link } from './table.ts';

/** Above every dashboard: the others, with the same range and filters; and the API. */
export function linksBetween(): DashboardLinkBuilder[] {
  return [
    new DashboardLinkBuilder('pi-ledger')
      .type(DashboardLinkType.Dashboards)
      .tags(['pi-ledger'])
      .includeVars(true)
      .keepTime(true),
    new DashboardLinkBuilder('The API')
      .type(DashboardLinkType.Link)
      .icon('external link')
      .tooltip('Every figure of these dashboards can be asked of the collector.')
      .url(`\${${collectorVariable}}/openapi.json`)
      .targetBlank(true),
  ];
}

/** The collector's address as a browser reaches it. */
export const collectorVariable = 'collector';

const chosen = `\${${prometheusVariable}:queryparam}&\${${ledgerVariable}:queryparam}`;

/** In a column of projects. */
export const toProject: Link = {
  title: 'Project',
  url: `/d/pi-ledger-project?var-project=\${__value.raw}&${chosen}&\${__url_time_range}`,
};

/** In a column of models. */
export const toModel: Link = {
  title: 'Models and tools',
  url: `/d/pi-ledger-models?var-model=\${__value.raw}&${chosen}&\${__url_time_range}`,
};

/** In a column of sessions. */
export const toSession: Link = {
  title: 'GET /v1/sessions/{id}',
  url: `\${${collectorVariable}}/v1/sessions/\${__value.raw}`,
};

/** In a column of compactions. */
export const toCompaction: Link = {
  title: 'GET /v1/compactions/{id}',
  url: `\${${collectorVariable}}/v1/compactions/\${__value.raw}`,
};
