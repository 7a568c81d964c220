import type { LedgerEvent } from '@pi-ledger/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { producers } from '../../../collector/projections/producers.ts';
import { usage } from '../../../collector/projections/usage.ts';
import { sessions } from '../projections/support/bare-sessions.ts';
import { fold } from '../projections/support/fold.ts';
import { exampleEvent } from '../support/events.ts';

const attribution = (number: number, user: string, more: object = {}): LedgerEvent =>
  ({
    ...exampleEvent({ number, type: 'pi.session.attributed.v1', data: { user } }),
    ...more,
  }) as LedgerEvent;
const turn = (number: number): LedgerEvent => exampleEvent({ number });

describe('views of authenticated and other attributions', () => {
  const attributed = fc.record({
    number: fc.nat(5),
    minute: fc.nat(3),
    user: fc.constantFrom('ada', 'bob'),
    by: fc.constantFrom(undefined, 'ada', 'eve'),
  });

  it('are the same in whatever order they come', () => {
    fc.assert(
      fc.property(
        fc.array(attributed, { minLength: 1, maxLength: 6 }),
        fc.infiniteStream(fc.nat()),
        (wishes, order) => {
          const events = wishes.map(({ number, minute, user, by }) =>
            attribution(number, user, {
              time: `2026-11-22T09:0${minute}:00.000Z`,
              ...(by === undefined ? {} : { authenticateduser: by }),
            }),
          );
          const all = [...events, turn(100), turn(101)];
          const keyed = all.map((event) => ({ event, at: order.next().value ?? 0 }));
          const shuffled = keyed.toSorted((a, b) => a.at - b.at).map(({ event }) => event);
          const [one, other] = [
            fold(sessions, all),
            fold(sessions, shuffled, { isReloaded: true }),
          ];
          expect(other.documents()).toEqual(one.documents());
          expect(other.rows(usage, 'user')).toEqual(one.rows(usage, 'user'));
          expect([...fold(producers, shuffled).states.values()][0]?.user).toBe(
            [...fold(producers, all).states.values()][0]?.user,
          );
        },
      ),
    );
  });
});
