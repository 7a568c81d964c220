/** The turns of a session: only rows that are seen are drawn, however many there are. */
import type { Billing } from '@pi-ledger/contract/billings';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TurnRowCells, type TurnTools } from './turn-cells.tsx';
import type { TurnRow } from './turn-rows.ts';
import { rowsWithin } from './window.ts';

export interface TurnTableProps extends TurnTools {
  readonly rows: readonly TurnRow[];
  /** The turn that is selected. */
  readonly turn: number | null;
  /** Kinds of billing that occur: a column each. */
  readonly billings: readonly Billing[];
}

const heads: Readonly<Record<Billing, string>> = {
  metered: 'Cost',
  subscription: 'Subscription',
  unknown: 'Billing unknown',
};

export function TurnTable(props: TurnTableProps): JSX.Element {
  const { rows, turn, billings } = props;
  const ref = useRef<HTMLElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600, row: 28 });
  const measure = () => {
    const element = ref.current;
    if (element === null) return;
    const row = element.querySelector('tbody tr.line')?.clientHeight ?? seen.row;
    setSeen({ top: element.scrollTop, height: element.clientHeight, row: row || seen.row });
  };
  const selected = rowOfTurn(rows, turn);
  useEffect(() => {
    measure();
    const element = ref.current;
    if (element === null || selected === null) return;
    const [top, bottom] = [selected * seen.row, (selected + 2) * seen.row];
    if (top < element.scrollTop || bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, top - element.clientHeight / 2);
  }, [selected, rows]);
  const { first, last } = rowsWithin(rows.length, seen);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section class="table turns" aria-label="Turns" tabIndex={0} ref={ref} onScroll={measure}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">What</th>
            <th scope="col" class="number goes-second">
              Took
            </th>
            <th scope="col" class="number goes-second">
              Sent
            </th>
            <th scope="col" class="number goes-second">
              From cache
            </th>
            <th scope="col" class="number goes-first">
              Output
            </th>
            <th scope="col" class="number goes-first">
              To threshold
            </th>
            {billings.map((billing) => (
              <th key={billing} scope="col" class="number">
                {heads[billing]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={first * seen.row} />
          {rows.slice(first, last).map((row, index) => (
            <tr
              key={row.key}
              class={`line ${row.kind}${first + index === selected ? ' open' : ''}`}
              aria-rowindex={first + index + 2}
              aria-selected={first + index === selected ? true : undefined}
            >
              <TurnRowCells row={row} billings={billings} tools={props} />
            </tr>
          ))}
          <Space height={(rows.length - last) * seen.row} />
        </tbody>
      </table>
    </section>
  );
}

/** As high as the rows that are not drawn. */
function Space({ height }: { height: number }): JSX.Element | null {
  return height <= 0 ? null : (
    <tr class="space">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}

/** Its place; null: it has none among these rows. */
function rowOfTurn(rows: readonly TurnRow[], turn: number | null): number | null {
  if (turn === null) return null;
  const index = rows.findIndex(({ item }) => item.turn === turn);
  return index === -1 ? null : index;
}
