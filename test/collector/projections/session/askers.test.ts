/** What tools spent without saying whose it is, in events of earlier versions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noRules } from '../../../../collector/projections/rules.ts';
import { createSessions } from '../../../../collector/projections/sessions.ts';
import { usage } from '../../../../collector/projections/usage.ts';
import { sessions } from '../support/bare-sessions.ts';
import { fold } from '../support/fold.ts';
import { attributed, event, spendOf } from '../support/given.ts';

const at = '2026-11-22T10:00:00.000Z';
const nobodys = { provider: null, model: null } as const;

const turn = (entryId: string, provider: string) =>
  event(
    'pi.turn.completed.v1',
    { at },
    { entryId, spend: spendOf({ provider, costNanoUsd: 1 }), toolCalls: { ask: 1 } },
  );
const tool = (turnEntryId: string, costNanoUsd = 10, provider: string | null = null) =>
  event(
    'pi.tool.completed.v1',
    { at },
    { turnEntryId, spend: spendOf({ ...nobodys, provider, costNanoUsd }) },
  );
const account = (turnEntryId: string, costNanoUsd: number) =>
  event(
    'pi.subagent.accounted.v1',
    { at },
    { keys: [`turn:${turnEntryId}`], accounted: { ...spendOf({ costNanoUsd }), inputTokens: 0 } },
  );

describe('nested work', () => {
  it('belongs to the provider of the turn that asked, and is billed like it', () => {
    const given = [
      attributed(at, { billing: { anthropic: 'metered', openai: 'subscription' } }),
      turn('t1', 'anthropic'),
      turn('t2', 'openai'),
      tool('t1'),
      tool('t2', 20),
      tool('t3', 40),
      tool('t1', 80, 'google'),
    ];
    for (const events of [given, given.toReversed()]) {
      const sums = fold(sessions, events).sums(usage, 'nanoUsd', 'kind', 'provider', 'billing');
      expect(sums).toMatchObject({
        'tool,anthropic,metered': 10n,
        'tool,openai,subscription': 20n,
        'tool,,unknown': 40n,
        'tool,google,unknown': 80n,
      });
    }
  });

  it('follows a rule for its provider', () => {
    const ruled = createSessions({ ...noRules, billing: { anthropic: 'metered' } });
    const folded = fold(ruled, [tool('t1'), turn('t1', 'anthropic')]);
    expect(folded.sums(usage, 'nanoUsd', 'kind', 'billing')).toMatchObject({ 'tool,metered': 10n });
  });

  it('gives the same document and rows in any order, stored in between or not', () => {
    const id = fc.constantFrom('t1', 't2');
    const any = fc.oneof(
      fc.tuple(id, fc.constantFrom('anthropic', 'openai')).map((said) => turn(...said)),
      fc
        .tuple(id, fc.nat(50), fc.constantFrom(null, null, 'anthropic'))
        .map((said) => tool(...said)),
      fc.tuple(id, fc.nat(50)).map((said) => account(...said)),
    );
    const orders = fc
      .array(any, { maxLength: 8 })
      .chain((given) =>
        fc.tuple(
          fc.constant(given),
          fc.shuffledSubarray(given, { minLength: given.length, maxLength: given.length }),
        ),
      );
    fc.assert(
      fc.property(orders, ([given, shuffled]) => {
        const [one, other] = [
          fold(sessions, given),
          fold(sessions, shuffled, { isReloaded: true }),
        ];
        expect(other.documents()).toEqual(one.documents());
        expect(other.rows(usage, ...usage.dimensions)).toEqual(
          one.rows(usage, ...usage.dimensions),
        );
      }),
    );
  });
});
