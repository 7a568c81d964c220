import { homeKeyFile } from '@pi-ledger/core/proof/home-key';

/**
 * The names of what a collector and its commands write into PI_LEDGER_HOME, beside the store, the
 * spool and the compile cache: `uninstall --data` deletes these and no others.
 */
export const homeFiles = {
  key: homeKeyFile,
  imports: 'imports.db',
  collector: 'collector.json',
  command: 'command.json',
  exports: 'exports.json',
  insights: 'insights.json',
  reconciliation: 'reconciliation.json',
} as const;
