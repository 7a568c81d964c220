/** Sessions from before, and how their providers are paid. */
import { dollarText } from '@pi-ledger/contract/amounts';
import { importers } from '../../../importers/registry.ts';
import { formatNames } from '../../output/format.ts';
import { ownLine } from '../../own-line.ts';
import { type Setup, type SetupStep, type Task, topicLine } from '../task.ts';

const agents = formatNames(importers);

export const importHistory: SetupStep = async (setup) => {
  const { config, terminal, say } = setup;
  const { findCollector } = await import('../../client/running-collector.ts');
  if (!config.import) {
    say('history', `is not imported, as config.json says; ${ownLine(terminal, 'import')} does it`);
    return [];
  }
  if (config.url === null && (await findCollector(config)) !== null) {
    say('history', 'is imported by the collector that runs');
    return [];
  }
  return [
    {
      topic: 'history',
      would: `import the session files of ${agents}`,
      question: `import the sessions that ${agents} have kept?`,
      refused: 'not imported now; a collector does it when it starts',
      act: async () => {
        const { importSessions } = await import('../../commands/import.ts');
        const { code } = await importSessions({}, terminal);
        return code === 0;
      },
    },
  ];
};

const kinds = ['metered', 'subscription'] as const;

/** Session files do not tell; nothing is assumed. */
export const askBilling: SetupStep = async (setup) => {
  const { config, isDryRun, say } = setup;
  if (isDryRun) {
    say('billing', 'would ask how providers are paid, where session files do not tell');
    return [];
  }
  const { withLedger } = await import('../../client/ledger-client.ts');
  const { total, rows } = await withLedger(setup.terminal, (client) =>
    client.getAll('/v1/usage', new URLSearchParams({ by: 'provider' })),
  );
  if (BigInt(total.unknownBillingNanoUsd) === 0n || config.url !== null) return [];
  return rows.flatMap(({ provider, unknownBillingNanoUsd }) =>
    provider == null || unknownBillingNanoUsd === '0'
      ? []
      : [billingOf(provider, BigInt(unknownBillingNanoUsd), setup)],
  );
};

function billingOf(provider: string, nanoUsd: bigint, setup: Setup): Task {
  const { config, questions, record, say, terminal } = setup;
  const amount = dollarText(nanoUsd, 2);
  return {
    topic: 'billing',
    would: `ask how ${provider} is paid`,
    question: null,
    refused: '',
    async act() {
      const question = `${provider}, ${amount}: (m)etered or (s)ubscription? Enter: not known:`;
      const kind = await questions.choose(topicLine('billing', question), kinds);
      if (kind === null) {
        const later = ownLine(terminal, `billing ${provider}=subscription`);
        say('billing', `${provider}, ${amount}: not known; say it with: ${later}`);
        return true;
      }
      const { writeBilling } = await import('../../../config/write-billing.ts');
      const { settings } = record.done();
      const before = isObject(settings.billing) ? settings.billing : {};
      record.note({ settings: { ...settings, billing: { ...before, [provider]: kind } } });
      writeBilling(config.home, { [provider]: kind });
      say('billing', `${provider} is ${kind}, in config.json; uninstall takes it out again`);
      const { findCollector } = await import('../../client/running-collector.ts');
      if ((await findCollector(config)) !== null)
        say('billing', 'the collector that runs knows when it starts again');
      return true;
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
