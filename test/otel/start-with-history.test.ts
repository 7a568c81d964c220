/** deploy/observability/start.sh: one command from session files to their spend in Prometheus. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../collector/support/directory.ts';
import { freePort } from '../hosts/support/machine/ports.ts';
import { otelPrograms } from '../services/otelcol/otel-programs.ts';
import { type Prometheus, startPrometheus } from '../services/prometheus/prometheus.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'collector/bin/pi-ledger.mjs');
const standIn = fileURLToPath(new URL('./support/compose-stand-in.ts', import.meta.url));
const directory = temporaryDirectory();
const checkout = join(directory, 'checkout');
const dayMs = 86_400_000;
let prometheus: Prometheus | null = null;

afterAll(async () => {
  await prometheus?.stop();
  const pid = Number(readFileSync(join(directory, 'pid'), 'utf8'));
  process.kill(pid);
  while (existsSync(`/proc/${pid}`)) await sleep(50);
});

/** A session of pi with an answer on each of these days before now, of a cent each. */
function writeSession(home: string, daysAgo: readonly number[]): void {
  const folder = join(home, '.pi/agent/sessions/--projects-shop--');
  mkdirSync(folder, { recursive: true });
  const at = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
  const cost = { input: 0.01, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.01 };
  const usage = { input: 100, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 100, cost };
  const by = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-5' };
  const lines = [
    {
      type: 'session',
      version: 3,
      id: 'shop-1',
      timestamp: at(daysAgo[0] ?? 0),
      cwd: '/projects/shop',
    },
    ...daysAgo.map((days, index) => ({
      ...{ type: 'message', id: `a${index}`, timestamp: at(days) },
      parentId: index === 0 ? null : `a${index - 1}`,
      message: {
        ...{ role: 'assistant', content: [], ...by, usage, stopReason: 'stop' },
        timestamp: Date.parse(at(days)),
      },
    })),
  ];
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, 'shop-1.jsonl'), content);
}

async function start(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const script = join(checkout, 'deploy/observability/start.sh');
  const child = spawn('sh', [script, ...args], { env });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, said, complained };
}

it('has in Prometheus what was spent, once, and what it set up is there to stay', async () => {
  const [home, programs] = [join(directory, 'home'), join(directory, 'programs')];
  const port = await freePort();
  cpSync(join(root, 'deploy/observability'), join(checkout, 'deploy/observability'), {
    recursive: true,
  });
  mkdirSync(programs);
  const docker = join(programs, 'docker');
  writeFileSync(docker, `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`);
  chmodSync(docker, 0o755);
  writeSession(home, [80, 40, 3]);
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    ...{ HOME: home, PI_LEDGER: `${process.execPath} ${bin}` },
    ...{ STAND_IN: directory, STAND_IN_PORT: String(port), PROMTOOL: otelPrograms().promtool },
    PI_LEDGER_URL: `http://127.0.0.1:${port}`,
  };

  expect(await start(env, 'many')).toMatchObject({ code: 2 });
  const first = await start(env);
  expect(first).toMatchObject({
    code: 0,
    complained: expect.not.stringContaining('Not everything'),
  });
  expect(first.said).toContain('http://127.0.0.1:3000');
  expect(first.complained).toContain('by subscriptions, $0.03 of unknown billing');
  const variables = readFileSync(join(checkout, '.env'), 'utf8');
  for (const name of ['MONGODB_PASSWORD', 'GRAFANA_TOKEN', 'GRAFANA_ADMIN_PASSWORD'])
    expect(variables).toMatch(new RegExp(`^${name}=\\S+$`, 'm'));
  expect(variables).toContain('OTEL_EXPORTER_OTLP_ENDPOINT=http://otel-collector:4318\n');
  const settings = join(home, '.pi-ledger/config.json');
  expect(statSync(settings).mode & 0o077).toBe(0);
  expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
    url: env.PI_LEDGER_URL,
    token: expect.stringMatching(/^pil_/),
  });

  const second = await start(env);
  expect(second).toMatchObject({ code: 0, said: expect.stringContaining('exports already') });
  expect(readFileSync(join(checkout, '.env'), 'utf8')).toBe(variables);
  const calls = readFileSync(join(directory, 'calls'), 'utf8').trimEnd().split('\n');
  expect(calls.filter((call) => call.includes('promtool'))).toHaveLength(1);
  expect(calls.at(-1)).toBe('--profile observability up --detach');

  prometheus = await startPrometheus(join(directory, 'prometheus'), { targets: [] });
  const series = await prometheus.samples('pi_cost_usd_total');
  const grown = series.map(({ values }) => Number(values.at(-1)?.[1]) - Number(values[0]?.[1]));
  expect(grown).toEqual([0.03]);
});
