/** What `pi-ledger reconcile` came to when it ran last. */

import type { Reconciled } from '@pi-ledger/contract/answers';
import type { JSX } from 'preact';
import { formatCount } from '../../format/count.ts';
import { formatMoment } from '../../format/time.ts';
import { None, NotKnown } from '../../parts/marks.tsx';
import { Name } from '../../parts/name.tsx';
import { Commands, CopyCommand } from '../../parts/own-command.tsx';
import { Held } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table-column.ts';
import { useAnswer } from '../../state/page.ts';
import { reconciledAsk } from './asks.ts';

const command = 'pi-ledger reconcile';

export function Agreement({ today }: { today: string }): JSX.Element {
  const reconciled = useAnswer(reconciledAsk);
  return (
    <>
      <Held of={reconciled}>
        {({ last }) =>
          last === null ? (
            <p>
              <NotKnown />: never compared here. The command reads the session files with code of
              its own, on the machine that has them:
            </p>
          ) : (
            <Outcome of={last} today={today} />
          )
        }
      </Held>
      <p class="command">
        <Commands of={command} /> <CopyCommand words="Copy" of={() => command} />
      </p>
    </>
  );
}

function Outcome({ of, today }: { of: Reconciled; today: string }): JSX.Element {
  const { at, isExplained, sessions, records, files, reasons } = of;
  return (
    <>
      <p>
        <span class={`state ${isExplained ? 'good' : 'bad'}`}>
          {isExplained ? 'Yes' : 'No'}, {formatMoment(at, today)}.
        </span>{' '}
        {formatCount(sessions)} sessions, {formatCount(records)} records, {formatCount(files)}{' '}
        files: {isExplained ? 'files, log and views agree' : 'something differs without a reason'}
        {reasons.length > 0 && isExplained && '; differences have reasons'}.
      </p>
      {reasons.length > 0 && (
        <Table
          name="reasons"
          label="Differences by reason"
          columns={columns}
          rows={reasons}
          keyOf={({ reason }) => reason}
          sort={{ column: 'reason', isUp: true }}
        />
      )}
    </>
  );
}

type Reason = Reconciled['reasons'][number];

/** Faults first, as the answer has them: not sorted. */
const columns: readonly Column<Reason>[] = [
  {
    name: 'why',
    head: 'Reason',
    cell: ({ reason, isExplained }) => (
      <span class={isExplained ? undefined : 'state bad'}>
        <Name of={reason} />
      </span>
    ),
  },
  {
    name: 'sessions',
    head: 'Sessions',
    isNumber: true,
    cell: ({ sessions }) => (sessions === 0 ? <None /> : formatCount(sessions)),
  },
  { name: 'count', head: 'Count', isNumber: true, cell: ({ count }) => formatCount(count) },
  {
    name: 'means',
    head: 'Means',
    goes: 1,
    cell: ({ sentence }) => (
      <span class="quiet wraps">
        <Name of={sentence} charsMax={160} />
      </span>
    ),
  },
];
