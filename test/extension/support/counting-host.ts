/**
 * A process that loads the built extension as a host does and counts what of it is compiled: bytes
 * of scripts, as the engine reports them, whoever loads them. Prints one line of JSON.
 *
 *     node counting-host.ts <load.cjs> <mode> <chunks, as JSON> [update]
 *
 * It is idle once these chunks are there. With `update`, it removes the bundle as soon as the host
 * has loaded it.
 */
import { rmSync } from 'node:fs';
import { Session } from 'node:inspector';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, append, contextOf, newSession, userSays } from './fake-session.ts';

type Handler = (event: unknown, ctx: unknown) => unknown;

const [entry = '', mode = 'tui', idleChunks = '[]', before] = process.argv.slice(2);
const directory = dirname(entry);

const scripts = new Map<string, number>();
const inspector = new Session();
inspector.connect();
inspector.on('Debugger.scriptParsed', ({ params: { url, length } }) => {
  const path = url.replace('file://', '');
  if (path.startsWith(directory)) scripts.set(basename(path), length ?? 0);
});
inspector.post('Debugger.enable');

const loaded = () => ({
  bytes: [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0),
  files: [...scripts.keys()].sort(),
});

const hooks = new Map<string, Handler>();
const session = newSession('s1', Date.now());
append(session, 'e1', Date.now(), {
  type: 'model_change',
  provider: 'anthropic',
  modelId: 'claude',
});
append(session, 'e2', Date.now(), { type: 'thinking_level_change', thinkingLevel: 'medium' });
const ui = { notify: () => undefined, setStatus: () => undefined };
const ctx = contextOf(session, { cwd: process.cwd(), mode, hasUI: mode === 'tui', ui });
const fire = (hook: string, event = {}) => hooks.get(hook)?.({ type: hook, ...event }, ctx);

createRequire(import.meta.url)(entry)({
  on: (hook: string, handler: Handler) => hooks.set(hook, handler),
  registerCommand: () => undefined,
});
if (before === 'update') rmSync(join(directory, 'dist'), { recursive: true });
fire('session_start', { reason: 'startup' });
const start = loaded();
const awaited = JSON.parse(idleChunks) as readonly string[];
await until(() => awaited.every((file) => scripts.has(file)));
const idle = loaded();
fire('input', { source: 'interactive', text: 'hi' });
fire('agent_start');
append(session, 'e3', Date.now(), userSays());
append(session, 'e4', Date.now(), answer('r1'));
fire('turn_end');
fire('agent_settled');
console.log(JSON.stringify({ start, idle, turn: loaded() }));
process.exit();

/** The test that started this process ends it if that never happens. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await pause(20);
}
