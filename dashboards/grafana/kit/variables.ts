/** What can be chosen above a dashboard. */
import {
  CustomVariableBuilder,
  DatasourceVariableBuilder,
  IntervalVariableBuilder,
  QueryVariableBuilder,
  TextBoxVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { type AttributeName, type MetricKey, metrics } from '@pi-ledger/contract/telemetry/metrics';
import { prometheusLabel, prometheusName } from '@pi-ledger/contract/telemetry/prometheus-names';
import { infinityPlugin, ledgerVariable, prometheus, prometheusVariable } from './datasources.ts';
import { collectorVariable } from './links.ts';

export type Variable = 'project' | 'oneProject' | 'model' | 'host' | 'interval';

interface Build {
  build(): VariableModel;
}

const builders: Readonly<Record<Variable, () => Build>> = {
  project: () => several(valuesOf('project', 'Project', 'records', 'pi.project')),
  oneProject: () => valuesOf('project', 'Project', 'records', 'pi.project'),
  model: () => several(valuesOf('model', 'Model', 'records', 'gen_ai.request.model')),
  host: () =>
    new CustomVariableBuilder('host')
      .label('Host')
      .values('pi,omp')
      .multi(true)
      .includeAll(true)
      .allValue('.*')
      .current(all),
  interval: () =>
    new IntervalVariableBuilder('interval')
      .label('A bar is at least')
      .values('1h,6h,1d,7d')
      .current({ text: '1d', value: '1d' }),
};
const all = { text: 'All', value: '$__all' };

/** Both datasources, the collector's address, then those asked for. */
export function variablesOf(asked: readonly Variable[]): Build[] {
  return [
    new DatasourceVariableBuilder(prometheusVariable).label('Prometheus').type('prometheus'),
    new DatasourceVariableBuilder(ledgerVariable).label('Ledger').type(infinityPlugin),
    ...asked.map((name) => builders[name]()),
    new TextBoxVariableBuilder(collectorVariable)
      .label('Ledger in your browser')
      .description('The address of the collector as your browser reaches it, for links.')
      .defaultValue('http://127.0.0.1:7717'),
  ];
}

function valuesOf(
  name: string,
  label: string,
  key: MetricKey,
  attribute: AttributeName,
): QueryVariableBuilder {
  const query = `label_values(${prometheusName(metrics[key])}, ${prometheusLabel(attribute)})`;
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(prometheus)
    .query({ query, refId: name })
    .definition(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);
}

/** All includes what has no such label. */
function several(variable: QueryVariableBuilder): QueryVariableBuilder {
  return variable.multi(true).includeAll(true).allValue('.*').current(all);
}
