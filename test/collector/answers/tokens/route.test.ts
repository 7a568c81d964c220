/**
 * The routes that create, list and revoke tokens. Only the answer that creates a token contains its
 * text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashToken } from '../../../../collector/auth/token-text.ts';
import { exampleEvents } from '../../support/events.ts';
import { type Guarded, guardedLedgers, startMs } from '../../support/guarded.ts';
import { batchType } from '../../support/ledger.ts';
import { sendRaw, servedCollectors } from '../../support/served.ts';

const guarded = guardedLedgers();
const served = servedCollectors();

async function post({ ask, machineToken }: Guarded, body: object, url = '/v1/tokens') {
  const answer = await ask({ method: 'POST', url, token: machineToken, body });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

async function rows(
  { ask, machineToken }: Guarded,
  query = '',
): Promise<{ rows: { id: string }[]; next: string | null }> {
  return JSON.parse((await ask({ url: `/v1/tokens${query}`, token: machineToken })).text);
}

describe('POST /v1/tokens', () => {
  it('makes a token of 256 random bits, and shows it', async () => {
    const subject = await guarded.open();
    const { status, body } = await post(subject, {
      user: 'ada',
      scopes: ['read', 'ingest', 'read'],
      note: 'laptop',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      token: expect.stringMatching(/^pil_[A-Za-z0-9_-]{43}$/),
      user: 'ada',
      scopes: ['ingest', 'read'],
      onlyOwn: false,
      projects: null,
      note: 'laptop',
      createdAt: new Date(startMs).toISOString(),
      expiresAt: null,
      revokedAt: null,
      status: 'valid',
    });
    const others = await Promise.all(
      Array.from({ length: 20 }, () => post(subject, { user: 'ada', scopes: ['read'] })),
    );
    expect(new Set(others.map((other) => other.body.token)).size).toBe(20);
  });

  it.each([
    [{}, 'user'],
    [{ user: '', scopes: ['read'] }, 'user'],
    [{ user: 'a\nb', scopes: ['read'] }, 'user'],
    [{ user: 'a\ud800', scopes: ['read'] }, 'user'],
    [{ user: 'ada' }, 'scopes'],
    [{ user: 'ada', scopes: [] }, 'scopes'],
    [{ user: 'ada', scopes: ['tokens'] }, 'scopes'],
    [{ user: 'ada', scopes: ['public'] }, 'scopes'],
    [{ user: 'ada', scopes: 'read' }, 'scopes'],
    [{ user: 'ada', scopes: ['ingest'], onlyOwn: true }, 'scopes'],
    [{ user: 'ada', scopes: ['read', 'admin'], onlyOwn: true }, 'scopes'],
    [{ user: 'ada', scopes: ['admin'], projects: ['shop'] }, 'scopes'],
    [{ user: 'ada', scopes: ['read'], onlyOwn: true, projects: ['shop'] }, 'projects'],
    [{ user: 'ada', scopes: ['read'], projects: [] }, 'projects'],
    [{ user: 'ada', scopes: ['read'], projects: [''] }, 'projects'],
    [{ user: 'ada', scopes: ['read'], expiresAt: 'soon' }, 'expiresAt'],
    [{ user: 'ada', scopes: ['read'], expiresAt: '2027-02-30T00:00:00Z' }, 'expiresAt'],
    [{ user: 'ada', scopes: ['read'], expiresAt: '2027-02-03T00:00:00' }, 'expiresAt'],
    [{ user: 'ada', scopes: ['read'], expiresAt: 'Jan 31 2027 12:00 GMT' }, 'expiresAt'],
    [{ user: 'ada', scopes: ['read'], expiresAt: '2026-11-22T12:00:00.000Z' }, 'expiresAt'],
    [{ user: 'ada', scopes: ['read'], token: 'pil_mine' }, 'token'],
  ])('refuses %j', async (token, field) => {
    const subject = await guarded.open();
    const { status, body } = await post(subject, token);
    expect([status, body.code]).toEqual([400, 'bad_parameter']);
    expect(`${body.field} ${body.message}`).toContain(field);
    expect((await rows(subject)).rows).toEqual([]);
  });
});

describe('GET /v1/tokens', () => {
  it('lists them in pages, with their status and without their secret', async () => {
    const subject = await guarded.open();
    const made = [];
    for (let n = 0; n < 5; n += 1) {
      subject.clock.nowMs = startMs + n;
      made.push(
        await subject.make({
          scopes: ['read'],
          expiresAt: new Date(startMs + 1_000 + n).toISOString(),
        }),
      );
    }
    await subject.revoke(made[1]?.id ?? '');
    subject.clock.nowMs = startMs + 1_000;
    const first = await rows(subject, '?limit=3');
    const second = await rows(subject, `?limit=3&cursor=${first.next}`);
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect(second.next).toBeNull();
    expect(first.rows).toMatchObject([
      { status: 'expired' },
      { status: 'revoked' },
      { status: 'valid' },
    ]);
    const text = JSON.stringify([first, second]);
    for (const { text: secret } of made) {
      const hash = Buffer.from(hashToken(secret));
      for (const shown of [secret, hash.toString('hex'), hash.toString('base64')])
        expect(text).not.toContain(shown);
    }
  });
});

describe('POST /v1/tokens/:id/revoke', () => {
  it('returns the first time of revocation, every time, and 404 for an unknown id', async () => {
    const subject = await guarded.open();
    const { id } = await subject.make({ scopes: ['read'] });
    const once = await post(subject, {}, `/v1/tokens/${id}/revoke`);
    subject.clock.nowMs += 1_000;
    expect(await post(subject, {}, `/v1/tokens/${id}/revoke`)).toEqual(once);
    expect(once.body).toMatchObject({
      status: 'revoked',
      revokedAt: new Date(startMs).toISOString(),
    });
    expect((await post(subject, {}, '/v1/tokens/000000000000/revoke')).status).toBe(404);
  });
});

describe('the text of a token', () => {
  it('is in no log line, other answer or file, whatever is done with it', async () => {
    const { collector, config, token, machineToken, logged } = await served.start();
    const headers = { authorization: `Bearer ${token.text}` };
    const said: string[] = [];
    const hear = async (answer: Response | Promise<Response>): Promise<void> => {
      const { status, headers: told } = await answer;
      said.push(`${status} ${JSON.stringify([...told])} ${await (await answer).text()}`);
    };
    const events = JSON.stringify(exampleEvents(1, 3));
    await hear(
      fetch(`${collector.url}/v1/events`, {
        method: 'POST',
        headers: { ...headers, 'content-type': batchType },
        body: events,
      }),
    );
    await hear(
      fetch(`${collector.url}/v1/events`, {
        method: 'POST',
        headers: { ...headers, 'content-type': batchType },
        body: 'broken',
      }),
    );
    await hear(
      fetch(`${collector.url}/v1/events`, {
        method: 'POST',
        headers: { ...headers, 'content-type': `text/${token.text}` },
        body: 'x',
      }),
    );
    for (const path of [
      '/v1/usage',
      '/v1/log',
      '/nope',
      '/%zz',
      `/v1/sessions/${token.text}`,
      `/${token.text}`,
      '/openapi.json',
      '/health/ready',
    ])
      await hear(fetch(`${collector.url}${path}`, { headers }));
    for (const query of [
      `token=${token.text}`,
      `cursor=${token.text}`,
      `since=${token.text}`,
      `timezone=${token.text}`,
      `limit=${token.text}`,
    ])
      await hear(fetch(`${collector.url}/v1/usage?${query}`, { headers }));
    await hear(
      fetch(`${collector.url}/v1/tokens`, { headers: { authorization: `Bearer ${machineToken}` } }),
    );
    said.push(
      await sendRaw(
        collector.url,
        'GET / HTTP/1.1\r\nHost: localhost\r\n' +
          `Authorization: Bearer ${token.text}\r\nBad Header\r\n\r\n`,
      ),
    );
    said.push(
      await sendRaw(
        collector.url,
        `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nAuthorization: Bearer ${token.text}\r\n\r\n`,
      ),
    );
    await collector.stop();
    const files = filesIn(config.home);
    expect(files.length).toBeGreaterThan(0);
    for (const place of [...said, ...logged, ...files]) {
      expect(place.includes(token.text)).toBe(false);
      expect(place.includes(machineToken)).toBe(false);
    }
  });

  it('is not logged when the store fails in the middle', async () => {
    const { ask, make, ledger, logged } = await guarded.open();
    const { text } = await make({ scopes: ['ingest', 'read'] });
    await ledger.log.close();
    const answers = await Promise.all([
      ask({ method: 'POST', url: '/v1/events', token: text, body: exampleEvents(1, 1) }),
      ask({ url: '/v1/usage', token: text }),
    ]);
    expect(answers[0]?.status).toBe(503);
    expect(logged.length).toBeGreaterThan(0);
    const hash = Buffer.from(hashToken(text)).toString('hex');
    for (const line of [...logged, ...answers.map((answer) => answer.text)])
      expect(line).not.toMatch(new RegExp(`${text}|${hash}`));
  });

  it('is not in messages about invalid settings that contain it', async () => {
    const { loadCollectorConfig } = await import('../../../../collector/config/config.ts');
    const secret = 'pil_secret with a blank';
    expect(() =>
      loadCollectorConfig({ PI_LEDGER_HOME: '/nowhere', PI_LEDGER_TOKEN: secret }),
    ).toThrow(expect.objectContaining({ code: 'config_invalid' }));
    try {
      loadCollectorConfig({ PI_LEDGER_HOME: '/nowhere', PI_LEDGER_TOKEN: secret });
    } catch (error) {
      expect(String(error)).not.toContain('pil_secret');
    }
  });
});

/** Binary files as text: a token's bytes are ASCII. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : [],
  );
}
