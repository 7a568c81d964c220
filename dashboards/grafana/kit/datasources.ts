/** The two datasources, as variables: whoever imports a dashboard chooses his own. */
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';

export const prometheusVariable = 'prometheus';
export const ledgerVariable = 'ledger';
export const infinityPlugin = 'yesoreyeram-infinity-datasource';

/** Live rates. */
export const prometheus: DataSourceRef = {
  type: 'prometheus',
  uid: `\${${prometheusVariable}}`,
};

/** The API of the collector; the datasource holds its address and a read token. */
export const ledger: DataSourceRef = { type: infinityPlugin, uid: `\${${ledgerVariable}}` };
