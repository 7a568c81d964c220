/** A ledger without sessions: what is being read, and how each agent records what comes next. */

import type { Host } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { standing } from '../../app/asks.ts';
import { Copy } from '../../parts/copy.tsx';
import { Name } from '../../parts/name.tsx';
import { Command } from '../../parts/own-command.tsx';
import { Empty, Held, Section } from '../../parts/section.tsx';
import { useAnswer } from '../../state/page.ts';
import { hostsAsk } from './asks.ts';
import { ImportProgress } from './import-progress.tsx';

export function FirstVisit(): JSX.Element {
  const importing = useAnswer(standing).answer?.importing ?? null;
  const hosts = useAnswer(hostsAsk);
  return (
    <>
      {importing === null ? (
        <div class="view-head">
          <h1>Nothing is recorded yet</h1>
          <span class="quiet">the page fills by itself</span>
        </div>
      ) : (
        <ImportProgress of={importing} />
      )}
      <div class="grid">
        <Section title="Record what comes next" note="once for each agent" width={7}>
          <p class="quiet">
            Without the extension, sessions are read from their files once these have been quiet for
            30 seconds. With it you also see durations, retries, thresholds and how each provider is
            paid.
          </p>
          <Held of={hosts}>{({ rows }) => <Hosts rows={rows} />}</Held>
        </Section>
        <Section title="Session files" width={5}>
          <Empty>
            {importing === null
              ? 'All are read where pi and omp keep them on the collector’s machine. Others: '
              : 'They are being read. Others: '}
            <Command words="import DIRECTORY" />
          </Empty>
        </Section>
      </div>
    </>
  );
}

function Hosts({ rows }: { rows: readonly Host[] }): JSX.Element {
  const used = rows.filter(({ isUsed }) => isUsed);
  if (used.length === 0)
    return (
      <Empty>
        No agent is known on the collector’s machine. On each machine that has one,{' '}
        <code>pi-ledger doctor</code> says how to install the extension.
      </Empty>
    );
  return (
    <>
      {used.map((each) => (
        <OneHost key={each.host} of={each} />
      ))}
    </>
  );
}

function OneHost({ of: { host, state, detail, install } }: { of: Host }): JSX.Element {
  if (install === null)
    return (
      <p>
        <strong>{host}</strong>{' '}
        <span class={`state ${state === 'note' ? 'warn' : state}`}>
          <Name of={detail} charsMax={300} />
        </span>
      </p>
    );
  return (
    <>
      <h3 class="below">
        {host} <span class="warn">not installed</span>
      </h3>
      <p class="command">
        <code>{install}</code> <Copy words="Copy" text={() => install} />
      </p>
    </>
  );
}
