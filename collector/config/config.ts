/**
 * The collector's settings: those of `contract/settings/settings.ts` that it reads, and what
 * follows from them.
 *
 * All problems are found at once; each is named with its place and what was expected. None is
 * repaired silently.
 */
import { join } from 'node:path';
import {
  type Environment,
  readSettings,
  type SettingProblem,
  type SettingValues,
} from '@pi-ledger/contract/settings/read';
import { findSettings } from '@pi-ledger/core/machine/settings-file';
import type { NamedBudget } from '../answers/budgets/definition.ts';
import type { OwnLimits } from '../answers/quota/limits.ts';
import { LedgerError } from '../errors.ts';
import { readTelemetry, type Telemetry } from '../exporters/otlp/settings.ts';
import type { KafkaSettings } from '../ingest/kafka/kafka.ts';
import type { FoldRules } from '../projections/rules.ts';
import type { StoreLocation } from '../stores/driver.ts';
import { readStoreLocation, storeInHome, storeLocationExpected } from '../stores/registry.ts';
import { addressReader, hostsReader, type TlsFiles, tlsReader } from './access-readers.ts';
import { budgetsReader } from './budgets.ts';
import { billingReader, projectRulesReader } from './fold-rules.ts';
import { kafkaReader } from './kafka.ts';
import { labelRulesReader, pullRequestsReader } from './label-rules.ts';
import { type Mail, mailReader } from './mail.ts';
import { quotaReader } from './quota.ts';
import { type Webhook, webhooksReader } from './webhooks.ts';

export type { Environment } from '@pi-ledger/contract/settings/read';

/** Settings whose types only the collector knows. */
interface SpecialValues {
  address: string;
  hosts: readonly string[];
  tlsFiles: TlsFiles;
  store: StoreLocation;
  kafka: KafkaSettings;
  projectRules: FoldRules['projects'];
  billing: FoldRules['billing'];
  labelRules: FoldRules['labels'];
  pullRequests: string;
  quota: OwnLimits;
  budgets: readonly NamedBudget[];
  webhooks: readonly Webhook[];
  mail: Mail | null;
}

type Values = SettingValues<'collector', SpecialValues>;

export interface CollectorConfig extends Omit<Values, 'store' | keyof FoldRules> {
  readonly home: string;
  readonly store: StoreLocation;
  /** `spool` in the home. */
  readonly spoolDirectory: string;
  /** `projects`, `billing` and `labels`: what views call projects, and what their spend is for. */
  readonly rules: FoldRules;
  /** The standard variables `OTEL_*` say what is exported. */
  readonly telemetry: Telemetry;
  /** What of `budgets` is left out, and why. */
  readonly budgetsLeftOut: readonly string[];
  /**
   * Problems that do not stop the collector: unknown settings, and those that the extension
   * rejects.
   */
  readonly doubts: readonly string[];
}

/** Frozen. Throws `config_invalid` with one message that names all problems. */
export function loadCollectorConfig(environment: Environment): CollectorConfig {
  const { home, written, problems: fileProblems } = findSettings(environment);
  const { values, problems, doubts, leftOut } = readSettings<'collector', SpecialValues>(
    'collector',
    written,
    {
      address: addressReader,
      hosts: hostsReader,
      tlsFiles: tlsReader,
      store: { read: readStoreLocation, expected: storeLocationExpected },
      kafka: kafkaReader,
      projectRules: projectRulesReader,
      billing: billingReader,
      labelRules: labelRulesReader,
      pullRequests: pullRequestsReader,
      quota: quotaReader,
      budgets: budgetsReader,
      webhooks: webhooksReader,
      mail: mailReader,
    },
  );
  const { store, projects, billing, labels, ...others } = values;
  const all = [...fileProblems, ...problems.map(problemText), ...missingBrokers(others, problems)];
  const extension = readSettings('extension', written, {});
  const ofExtension = [...extension.problems, ...extension.leftOut];
  const doubtsOfBoth = [
    ...new Set([...leftOut.map(problemText), ...doubts, ...ofExtension.map(problemText)]),
  ].filter((message) => !all.includes(message));
  if (all.length > 0)
    throw new LedgerError('config_invalid', { message: sentence([...all, ...doubtsOfBoth]) });
  return Object.freeze<CollectorConfig>({
    ...others,
    home,
    store: store ?? storeInHome(home),
    spoolDirectory: join(home, 'spool'),
    rules: { projects, billing, labels },
    telemetry: readTelemetry(environment),
    budgetsLeftOut: leftOut.filter(({ key }) => key === 'budgets').map(problemText),
    doubts: doubtsOfBoth,
  });
}

function problemText({ message }: SettingProblem): string {
  return message;
}

/** `kafka` is null, too, where its value was not valid, which is a problem already. */
function missingBrokers(
  { role, kafka }: Pick<Values, 'role' | 'kafka'>,
  problems: readonly SettingProblem[],
): string[] {
  const isSaid = problems.some(({ key }) => key === 'kafka');
  return role === 'all' || kafka !== null || isSaid
    ? []
    : [`"role" is ${role}, which needs "kafka" (PI_LEDGER_KAFKA): the brokers`];
}

function sentence(problems: readonly string[]): string {
  return `The configuration is not valid: ${problems.join('; ')}.`.replace(/\?\.$/, '?');
}
