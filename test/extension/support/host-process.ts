/**
 * A process that loads the extension as a host does, follows a script of events, and ends without
 * `process.exit`, so that anything left alive would hold it. Prints what it saw as one line of
 * JSON.
 *
 *     node host-process.ts '{ "factories": 2, "events": [["session_start", {}]], "hasUI": true }'
 */
import piLedger from '../../../extension/index.ts';
import { answer, append, contextOf, newSession, userSays } from './fake-session.ts';

interface Script {
  readonly factories: number;
  readonly events: readonly (readonly [hook: string, event: Record<string, unknown>])[];
  readonly hasUI: boolean;
}

type Handler = (event: unknown, ctx: unknown) => unknown;

const script = JSON.parse(process.argv[2] ?? '{}') as Script;
const notices: string[] = [];
const hooks = new Map<string, Handler[]>();
const commands = new Map<string, { handler: Handler }>();
const session = newSession('s1', Date.now());
const ctx = contextOf(session, {
  hasUI: script.hasUI,
  ui: { notify: (message: string) => notices.push(message) },
});

for (let count = 0; count < script.factories; count += 1) {
  piLedger({
    on: (hook: string, handler: Handler) => hooks.set(hook, [...(hooks.get(hook) ?? []), handler]),
    registerCommand: (name: string, command: { handler: Handler }) => commands.set(name, command),
  });
}

const answers: string[] = [];
let id = 0;
for (const [hook, event] of script.events) {
  if (hook === 'turn_end') {
    for (const body of [userSays(), answer(`r${id}`)]) {
      id += 1;
      append(session, `e${id}`, Date.now(), body);
    }
  }
  if (hook === '/ledger') await commands.get('ledger')?.handler('', ctx);
  for (const handler of hooks.get(hook) ?? []) {
    const result = handler(event, ctx);
    answers.push(
      result === undefined ? 'undefined' : `${hook}: ${(result as object).constructor.name}`,
    );
    await result;
  }
}
process.stdout.write(
  `${JSON.stringify({ hooks: [...hooks.keys()], answers: [...new Set(answers)], notices })}\n`,
);
