/**
 * The scenarios: what the fake model answers at each step after the prompt that names one.
 *
 * `SCN:<name>[:<argument>...][#<tag>]` anywhere in a prompt. A scenario is a function of the
 * conversation and of the number of earlier identical requests (a retried attempt leaves no trace
 * in the conversation).
 */

import type { Conversation } from './conversation.ts';
import { call, editSecondLine, finish, offers } from './dialect.ts';
import { type Block, type Reply, say } from './reply.ts';

/** Contract: pure; `attempt` counts identical requests from 0. */
type Play = (conversation: Conversation, attempt: number) => Reply;

/** An unknown name is a mistake in a test: it is answered with a fatal error that names it. */
export function play(conversation: Conversation, attempt: number): Reply {
  if (conversation.purpose === 'summary') return summarize(conversation);
  if (conversation.purpose === 'side') return say('medium');
  const scenario = scenarios[conversation.scenario.name];
  return (
    scenario?.(conversation, attempt) ??
    fatal(`no scenario is called ${conversation.scenario.name}`)
  );
}

const summaryBegin = '## Goal\nExercise the ledger.';
const summary = `${summaryBegin}

## Progress
### Done
- [x] Looked around, read and wrote files

## Next Steps
1. Nothing left

## Critical Context
- notes.txt holds the word alpha`;

/**
 * `FAIL-SUMMARY` in what it is asked makes it fail; whatever follows `remember:` up to a blank it
 * repeats word for word.
 */
function summarize({ turns, system }: Conversation): Reply {
  const asked = [system, ...turns.map(({ text }) => text)].join('\n');
  if (asked.includes('FAIL-SUMMARY')) return fatal('the fake model refuses to summarize');
  const remembered = Array.from(asked.matchAll(/remember:(\S+)/g), ([, what]) => `- ${what}`);
  return say([summary, ...new Set(remembered)].join('\n'));
}

const scenarios: Readonly<Record<string, Play>> = {
  simple: (conversation) => end(conversation, 'Hello from the fake model.'),

  tools: (conversation) =>
    steps(conversation, [
      [
        { type: 'thinking', text: 'I should look around first.' },
        { type: 'text', text: 'Looking around.' },
        bash(conversation, 'echo hello-from-bash; ls'),
      ],
      [{ type: 'text', text: 'Reading.' }, call(conversation, 'read', { path: 'notes.txt' })],
      [call(conversation, 'write', { path: 'out.txt', content: 'alpha\nbeta\ngamma\n' })],
      [editSecondLine(conversation, 'out.txt', 'beta', 'BETA')],
      [
        call(conversation, 'grep', { pattern: 'alpha', path: '.' }),
        call(conversation, 'read', { path: 'does-not-exist.txt' }),
      ],
    ]),

  parallel: (conversation) =>
    steps(conversation, [
      [
        { type: 'text', text: 'All at once.' },
        bash(conversation, 'sleep 0.1; echo slowest'),
        call(conversation, 'read', { path: 'notes.txt' }),
        call(conversation, 'read', { path: 'does-not-exist.txt' }),
      ],
    ]),

  toolerr: (conversation) =>
    steps(conversation, [
      [call(conversation, 'read', { path: 'does-not-exist.txt' })],
      [call(conversation, 'read', { nope: 1 })],
      [call(conversation, 'no_such_tool', { x: 1 })],
      [bash(conversation, 'exit 3')],
    ]),

  /** `SCN:retry:<failures>`, two unless told. */
  retry: (conversation, attempt) =>
    attempt < numberArgument(conversation, 0, 2)
      ? { kind: 'error', status: 529, type: 'overloaded_error', message: 'Overloaded' }
      : end(conversation, 'Recovered after retries.'),

  fatal: () => fatal('the fake model refuses this request'),

  drop: (conversation, attempt) =>
    attempt === 0
      ? { kind: 'drop', text: 'These words are cut' }
      : end(conversation, 'Recovered after a dropped stream.'),

  /** `SCN:slow:<words>:<milliseconds per word>`. */
  slow: (conversation) => ({
    kind: 'message',
    blocks: finish(conversation, distinctWords(numberArgument(conversation, 0, 60))),
    wordDelayMs: numberArgument(conversation, 1, 50),
    big: false,
  }),

  /** `SCN:loop:<tool turns>`: that many turns with one tool each, then the end. */
  loop: (conversation) => {
    const turns = numberArgument(conversation, 0, 3);
    if (conversation.step >= turns) return end(conversation, 'The loop is over.');
    return say(
      `Step ${conversation.step + 1}: ${distinctWords(3, conversation.step * 3)}.`,
      bash(conversation, `echo loop-${conversation.step + 1}-of-${turns}`),
    );
  },

  big: (conversation) => ({
    kind: 'message',
    blocks: finish(conversation, `A big answer. ${distinctWords(150)}`),
    wordDelayMs: 0,
    big: true,
  }),

  /**
   * `SCN:bigloop:<tool turns>`: the same as `loop`, and the first answer fills the small model's
   * window: the host must compact in the middle of the run.
   */
  bigloop: (conversation) => {
    const turns = numberArgument(conversation, 0, 3);
    if (conversation.step >= turns) return end(conversation, 'The big loop is over.');
    const text = `Step ${conversation.step + 1}: ${distinctWords(150, conversation.step * 150)}.`;
    const blocks: Block[] = [
      { type: 'text', text },
      bash(conversation, `echo big-${conversation.step + 1}-of-${turns}`),
    ];
    return { kind: 'message', blocks, wordDelayMs: 0, big: conversation.step === 0 };
  },

  /** Too much for the window until the host has compacted. */
  overflow: (conversation) =>
    conversation.turns.some(({ text }) => text.includes(summaryBegin))
      ? end(conversation, 'Now it fits.')
      : fatal('prompt is too long: 12000 tokens > 10000 maximum'),

  /** `SCN:bash:<base64 of a command>`. */
  bash: (conversation) =>
    steps(conversation, [
      [
        bash(
          conversation,
          Buffer.from(conversation.scenario.args[0] ?? '', 'base64').toString('utf8'),
        ),
      ],
    ]),

  /**
   * `SCN:task:<scenario>[,<scenario>...]`: one subagent for each, `tools` unless told. A scenario's
   * own argument follows a dot: `loop.60`.
   */
  task: (conversation) => {
    if (!offers(conversation, 'task')) return end(conversation, 'This host has no subagents.');
    const tasks = subtasks(conversation).map((task, index) => ({
      agent: 'task',
      name: `Sub${letter(index)}`,
      task,
    }));
    return steps(conversation, [
      [
        { type: 'text', text: 'Delegating.' },
        call(conversation, 'task', { context: 'Lab context.', tasks }),
      ],
    ]);
  },

  /** The same with the tool of pi's example (`support/subagent-example.ts`). */
  subagent: (conversation) => {
    if (!offers(conversation, 'subagent'))
      return end(conversation, 'Nobody has installed subagents here.');
    const tasks = subtasks(conversation).map((task) => ({ agent: 'worker', task }));
    return steps(conversation, [
      [{ type: 'text', text: 'Delegating.' }, call(conversation, 'subagent', { tasks })],
    ]);
  },

  /** `SCN:call:<tool>:<base64 of its arguments as JSON>`: one call of any tool, then the end. */
  call: (conversation) => {
    const [tool = '', args = ''] = conversation.scenario.args;
    const said = JSON.parse(Buffer.from(args, 'base64').toString('utf8'));
    return steps(conversation, [[call(conversation, tool, said)]]);
  },
};

function subtasks({ scenario }: Conversation): readonly string[] {
  const plays = (scenario.args[0] ?? 'tools').split(',');
  return plays.map((play, index) => `SCN:${play.replace('.', ':')}#sub${letter(index)} do it`);
}

function steps(conversation: Conversation, turns: readonly (readonly Block[])[]): Reply {
  const blocks = turns[conversation.step];
  return blocks ? say(...blocks) : end(conversation, `Done with ${conversation.scenario.name}.`);
}

function end(conversation: Conversation, text: string): Reply {
  return say(...finish(conversation, text));
}

function fatal(message: string): Reply {
  return { kind: 'error', status: 400, type: 'invalid_request_error', message };
}

function bash(conversation: Conversation, command: string): Block {
  return call(conversation, 'bash', { command });
}

function numberArgument({ scenario }: Conversation, index: number, fallback: number): number {
  const value = Number(scenario.args[index] ?? fallback);
  return Number.isFinite(value) ? value : fallback;
}

/** Never the same word twice: omp takes repetitive text for a model caught in a loop. */
function distinctWords(count: number, from = 0): string {
  return Array.from(
    { length: count },
    (_, index) => `w${(((from + index) * 104_729) % 1_299_709).toString(36)}`,
  ).join(' ');
}

function letter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}
