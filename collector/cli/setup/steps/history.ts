/** Sessions from before, and how their providers are paid. */
import { dollarText } from '@pi-ledger/contract/amounts';
import type { BillingList } from '@pi-ledger/contract/answers';
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

/** By what the agents on this machine are signed in with. */
const hints = {
  metered: 'There is a key for it here.',
  subscription: 'A plan is signed in here.',
};

/** Session files do not tell; nothing is assumed. */
export const askBilling: SetupStep = async (setup) => {
  const { config, isDryRun, say } = setup;
  if (isDryRun) {
    say('billing', 'would ask how providers are paid, where session files do not tell');
    return [];
  }
  const { withLedger } = await import('../../client/ledger-client.ts');
  if (config.url !== null) return [];
  const { rows } = await withLedger(setup.terminal, (client) => client.get('/v1/billing'));
  return rows.flatMap((row) => {
    const { provider } = row;
    return provider === null || row.unknownBillingNanoUsd === '0'
      ? []
      : [askOne({ ...row, provider }, setup)];
  });
};

type Row = BillingList['rows'][number] & { readonly provider: string };

function askOne({ provider, unknownBillingNanoUsd, suggested }: Row, setup: Setup): Task {
  const { questions, record, say, terminal } = setup;
  const amount = dollarText(BigInt(unknownBillingNanoUsd), 2);
  return {
    topic: 'billing',
    would: `ask how ${provider} is paid`,
    question: null,
    refused: '',
    async act() {
      const hint = suggested === null ? '' : ` ${hints[suggested]}`;
      const asked = `${provider}, ${amount}: (m)etered or (s)ubscription?`;
      const question = `${asked}${hint} Enter: not known:`;
      const kind = await questions.choose(topicLine('billing', question), kinds);
      if (kind === null) {
        const later = ownLine(terminal, `billing ${provider}=${suggested ?? 'subscription'}`);
        say('billing', `${provider}, ${amount}: not known; say it with: ${later}`);
        return true;
      }
      const { settings } = record.done();
      const before = isObject(settings.billing) ? settings.billing : {};
      record.note({ settings: { ...settings, billing: { ...before, [provider]: kind } } });
      const { withLedger } = await import('../../client/ledger-client.ts');
      await withLedger(terminal, (client) =>
        client.post('/v1/billing', { rules: { [provider]: kind } }),
      );
      say('billing', `${provider} is ${kind}, in config.json; uninstall takes it out again`);
      return true;
    },
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
