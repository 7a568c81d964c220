import type { LedgerEvent } from '@pi-ledger/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startBudgetWatch } from '../../../../collector/roles/budgets/watch.ts';
import { eventually } from '../../../support/eventually.ts';
import { exampleEvent } from '../../support/events.ts';

const crossed = exampleEvent({ number: 1, type: 'pi.budget.crossed.v1' });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function watched(
  wish: { catchUp?: () => Promise<void>; look?: () => Promise<LedgerEvent[]> } = {},
) {
  const appended: LedgerEvent[] = [];
  const errors: unknown[] = [];
  let listener: () => void = () => undefined;
  const look = vi.fn(wish.look ?? (async () => []));
  const { stop } = startBudgetWatch({
    catchUp: wish.catchUp ?? (async () => undefined),
    onCommitted(each) {
      listener = each;
      return () => {
        listener = () => undefined;
      };
    },
    look,
    append: async (events) => void appended.push(...events),
    onError: (error) => void errors.push(error),
    lookEveryMs: 2,
  });
  stops.push(stop);
  return { appended, errors, look, stop, commit: () => listener() };
}

describe('the watch over budgets', () => {
  it('looks at once, and again only after a commit', async () => {
    const { look, commit, appended } = watched({ look: async () => [crossed] });
    await eventually(() => expect(look).toHaveBeenCalledTimes(1));
    commit();
    await eventually(() => expect(look).toHaveBeenCalledTimes(2));
    commit();
    commit();
    await eventually(() => expect(look).toHaveBeenCalledTimes(3));
    expect(appended).toEqual([crossed, crossed, crossed]);
  });

  it('looks at nothing while views are behind, and is not put off by more commits', async () => {
    const behind = Promise.withResolvers<void>();
    const catchUp = vi.fn(() => behind.promise);
    const { look, commit } = watched({ catchUp });
    await eventually(() => expect(catchUp).toHaveBeenCalledTimes(1));
    commit();
    commit();
    expect(look).not.toHaveBeenCalled();
    behind.resolve();
    await eventually(() => expect(look.mock.calls.length).toBeGreaterThan(0));
    await eventually(() => expect(catchUp.mock.calls.length).toBeGreaterThan(1));
  });

  it('tries again what fails, and reports it once', async () => {
    let failures = 3;
    const { look, errors, appended } = watched({
      look: async () => {
        failures -= 1;
        if (failures >= 0) throw new Error('no store');
        return [crossed];
      },
    });
    await eventually(() => expect(appended).toEqual([crossed]));
    expect(look).toHaveBeenCalledTimes(4);
    expect(errors).toEqual([new Error('no store')]);
  });

  it('stops while views are behind, and looks at nothing after that', async () => {
    const catchUp = vi.fn(() => new Promise<void>(() => undefined));
    const { look, stop, commit } = watched({ catchUp });
    await eventually(() => expect(catchUp).toHaveBeenCalled());
    await stop();
    commit();
    expect(look).not.toHaveBeenCalled();
  });
});
