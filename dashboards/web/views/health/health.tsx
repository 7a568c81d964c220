/** Whether the numbers can be trusted, and everything on the way to them works. */

import type { Health as HealthAnswer } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatBytes, formatCount } from '../../format/count.ts';
import { formatDuration } from '../../format/time.ts';
import { Name } from '../../parts/name.tsx';
import { useTyped } from '../../parts/own-command.tsx';
import { SameNumbers } from '../../parts/same-numbers.tsx';
import { Held, Section } from '../../parts/section.tsx';
import { useAnswerOfNow, usePage } from '../../state/page.ts';
import type { ViewProps } from '../view.ts';
import { Agreement } from './agreement.tsx';
import { healthAsk, producersAsk, reconciledAsk } from './asks.ts';
import { DeadLetters } from './dead-letters.tsx';
import { Import } from './import.tsx';
import { Machines } from './machines.tsx';
import { headOf } from './steps.ts';
import { Steps } from './steps.tsx';

export function Health({ today }: ViewProps): JSX.Element {
  const health = useAnswerOfNow(healthAsk);
  const nowMs = usePage().now().getTime();
  return (
    <>
      <div class="view-head">
        <h1>Health</h1>
        {health.answer !== null && <span class="quiet">{headWords(health.answer, nowMs)}</span>}
      </div>
      <div class="grid">
        <Section title="Do the totals agree with the session files?" width={7}>
          <Agreement today={today.day} />
          <h3 class="below">The collector</h3>
          <Held of={health}>{(answer) => <Problems of={answer} />}</Held>
        </Section>
        <Section title="From event to page" width={5}>
          <Held of={health}>{(answer) => <Steps of={answer} />}</Held>
        </Section>
        <Machines today={today.day} />
        <DeadLetters today={today.day} />
        <Import />
      </div>
      <SameNumbers
        command={['pi-ledger doctor', 'pi-ledger reconcile']}
        request={`${healthAsk.url}, GET ${reconciledAsk.url}, GET ${producersAsk.url}`}
      />
    </>
  );
}

function Problems({ of }: { of: HealthAnswer }): JSX.Element {
  const { ready, problems = [], warnings = [] } = of;
  const typed = useTyped();
  return (
    <ul class="findings">
      {ready && problems.length + warnings.length === 0 && (
        <li>
          <span class="state good">ready</span>
        </li>
      )}
      {!ready && problems.length === 0 && (
        <li>
          <span class="state bad">not ready</span>
        </li>
      )}
      {problems.map((text) => (
        <li key={text}>
          <span class="state bad">
            <Name of={typed(text)} charsMax={300} />
          </span>
        </li>
      ))}
      {warnings.map((text) => (
        <li key={text}>
          <span class="state warn">
            <Name of={typed(text)} charsMax={300} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function storeWords({ store, storeId = '' }: HealthAnswer): readonly string[] {
  if (store === undefined) return [];
  const size = store.bytes === null ? [] : [formatBytes(store.bytes)];
  return [[`store ${store.kind}`, ...size, storeId.slice(0, 8)].join(' ')];
}

function upWords({ startedAt }: HealthAnswer, nowMs: number): readonly string[] {
  return startedAt === undefined ? [] : [`up ${formatDuration(nowMs - Date.parse(startedAt))}`];
}

function headWords(health: HealthAnswer, nowMs: number): string {
  const head = headOf(health);
  return [
    ...(health.version === undefined ? [] : [`collector ${health.version}`]),
    health.role,
    ...(head === null ? [] : [`${formatCount(head)} events`]),
    ...storeWords(health),
    ...upWords(health, nowMs),
  ].join(', ');
}
