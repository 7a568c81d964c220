import { describe, expect, it } from 'vitest';
import { createTransport } from '../../../extension/shipping/transport.ts';
import { servedCollectors } from '../../collector/support/served.ts';
import { collectorHome } from '../spool/support/proving.ts';

const served = servedCollectors();
const nowMs = Date.now;

describe('the real collector', () => {
  const sendTo = async (
    {
      auth = 'auto',
      isUrlNamed = false,
      isSameHome = false,
      hasToken = false,
    }: Readonly<Record<string, unknown>>,
    events: readonly string[] = [],
  ) => {
    const { collector, config, token: known } = await served.start({ auth: auth as 'auto' });
    const home = isSameHome ? config.home : collectorHome;
    const options = {
      url: collector.url,
      isUrlNamed: isUrlNamed === true,
      token: hasToken ? known.text : null,
      home,
      nowMs,
    };
    return createTransport(options).send(events);
  };

  it('of the same home is believed, without a token', async () => {
    expect(await sendTo({ isSameHome: true })).toMatchObject({ state: 'acked' });
  });

  it('that asks for tokens, and gets none, says so', async () => {
    expect(await sendTo({ auth: 'required', isSameHome: true })).toEqual({
      state: 'unauthorized',
      status: 401,
    });
  });

  it('of another home is trusted if it knows the token, at the default address too', async () => {
    expect(await sendTo({ hasToken: true })).toMatchObject({ state: 'acked' });
    expect(await sendTo({ auth: 'required', hasToken: true, isUrlNamed: true })).toMatchObject({
      state: 'acked',
    });
  });

  it('of another home without a token is not, and the remedy is shown', async () => {
    expect(await sendTo({ isUrlNamed: true })).toMatchObject({
      cause: 'stranger',
      remedy: expect.stringContaining('`token create`'),
    });
  });

  it('that revoked the token proves that it knew it, and refuses it', async () => {
    const { collector, config, token: known, machineToken } = await served.start();
    await fetch(`${collector.url}/v1/tokens/${known.id}/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${machineToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const transport = createTransport({
      url: collector.url,
      isUrlNamed: true,
      token: known.text,
      home: `${config.home}-other`,
      nowMs,
    });
    expect(await transport.send([])).toEqual({ state: 'unauthorized', status: 401 });
  });

  it('is asked by any of its names', async () => {
    const { collector, config } = await served.start({ auth: 'auto', address: 'localhost' });
    const { port } = new URL(collector.url);
    for (const name of ['localhost', '127.0.0.1']) {
      const transport = createTransport({
        url: `http://${name}:${port}`,
        isUrlNamed: true,
        token: null,
        home: config.home,
        nowMs,
      });
      expect([name, await transport.send([])]).toMatchObject([name, { state: 'acked' }]);
    }
  });
});
