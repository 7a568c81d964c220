/** Entries that several sessions claim, where a withdrawal takes one of the claims back. */
import { describe, expect, it } from 'vitest';
import { sentSpend, session, start } from '../../support/sent-spend.ts';

const running = sentSpend();

/** What it spent, as a copy in this session. */
function claimed([, spend]: readonly object[], subject: string, more: object = {}): object {
  return { ...spend, subject, ...more };
}

describe('an entry that a withdrawn claim took over', () => {
  it('goes back to its session, whenever the other one was withdrawn', async () => {
    const copied = session('original', 5_000);
    const copy = claimed(copied, 'zfork', { ownership: 'assumed' });
    const own = session('zfork', 70, '2026-11-22T10:00:00.000Z');
    const orders = [
      ['copy', 'original', 'withdraw'],
      ['copy', 'other', 'withdraw', 'original'],
    ];
    for (const order of orders) {
      const { send, run, spending } = await running();
      const steps: Record<string, () => Promise<unknown>> = {
        copy: () => send([...own, copy]),
        other: () => send(session('original', 1, '2026-11-22T08:00:00.000Z')),
        original: () => send(copied),
        withdraw: () => run('withdraw', 'session', 'original', '--reason', 'a test'),
      };
      for (const step of order) await steps[step]?.();
      await expect.poll(spending).toEqual({ zfork: 5_070 });
    }
  });

  it('is not lost to a session that is withdrawn already', async () => {
    const { send, run, spending, tokens } = await running({ auth: 'required' });
    const [ada, eve] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
    const real = session('s-ada', 9_000);
    await send(real, ada.token);
    await send(session('a-eve', 200), eve.token);
    await run('withdraw', 'session', 'a-eve', '--reason', 'forged');
    await send([claimed(real, 'a-eve')], eve.token);
    await expect.poll(spending).toEqual({ 's-ada': 9_000 });
  });

  it('goes back if only the token that claimed it is withdrawn', async () => {
    const { send, run, spending, tokens } = await running({ auth: 'required' });
    const [ada, eve] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
    const real = session('s-ada', 9_000);
    await send(real, ada.token);
    await send([claimed(real, 'a-eve')], eve.token);
    expect(await spending()).toEqual({ 'a-eve': 9_000 });
    await run('withdraw', 'token', eve.id, '--since', '1h', '--reason', 'leaked');
    await expect.poll(spending).toEqual({ 's-ada': 9_000 });
    await send(real, ada.token);
    expect(await spending()).toEqual({ 's-ada': 9_000 });
  });

  it('is taken from its session once more, by a claim that comes later', async () => {
    const { send, run, spending } = await running();
    const real = session('z', 3);
    await send(real);
    await send([claimed(real, 'a')]);
    await run('withdraw', 'session', 'a', '--reason', 'forged');
    await expect.poll(spending).toEqual({ z: 3 });
    await send([claimed(real, 'd')]);
    await expect.poll(spending).toEqual({ d: 3 });
  });

  it('stays where others took it afterwards', async () => {
    const { send, run, spending, tokens } = await running({ auth: 'required' });
    const [ada, eve] = tokens as [(typeof tokens)[0], (typeof tokens)[0]];
    const real = session('s-ada', 9_000, start);
    await send(real, ada.token);
    await send([claimed(real, 'm-eve')], eve.token);
    await send([claimed(real, 'a-first')], ada.token);
    await run('withdraw', 'token', eve.id, '--since', '1h', '--reason', 'leaked');
    await expect.poll(spending).toEqual({ 'a-first': 9_000 });
    await run('withdraw', 'session', 'a-first', '--reason', 'forged');
    await expect.poll(spending).toEqual({ 's-ada': 9_000 });
  });
});
