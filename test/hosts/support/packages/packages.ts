/**
 * The packages of pi that the hosts lane runs for real: what makes each delegate to one child, and
 * who can see that child. A new package is a dependency in `test/hosts/packages` and an entry here.
 */
import type { PromptOptions } from '../host/run-host.ts';

export interface PiPackage {
  readonly name: string;
  /** What pi loads, from `test/hosts/packages`: itself, and what it delegates through. */
  readonly loads: readonly string[];
  /** The tool by which the model delegates; null if the user does. */
  readonly tool: string | null;
  readonly prompt: PromptOptions['prompt'];
  /** Prompt templates of the user, by file name. */
  readonly templates?: Readonly<Record<string, string>>;
  readonly child: ChildSeen;
}

/** Whether what is recorded live, and what the session files say, have the child's spend. */
export interface ChildSeen {
  readonly live: boolean;
  readonly imported: boolean;
  /** The child's requests that are seen live without what they cost; none unless told. */
  readonly requests?: number;
}

/** What the child is asked: one tool, then the end. */
const task = 'SCN:loop:1#child Look around';

export const packages: readonly PiPackage[] = [
  {
    name: 'pi-subagents',
    loads: ['pi-subagents'],
    tool: 'subagent',
    prompt: delegating('subagent', { agent: 'scout', task, async: false }),
    // The tool result has its sum, and its session file is below the parent's.
    child: { live: true, imported: true },
  },
  {
    name: '@tintinweb/pi-subagents',
    loads: ['@tintinweb/pi-subagents'],
    tool: 'Agent',
    prompt: delegating('Agent', { prompt: task, description: 'look', subagent_type: 'Explore' }),
    // It runs in the parent's process, with the extension, and its session stays in memory.
    child: { live: true, imported: false },
  },
  {
    name: '@tintinweb/pi-subagents, isolated',
    loads: ['@tintinweb/pi-subagents'],
    tool: 'Agent',
    prompt: delegating('Agent', {
      prompt: task,
      description: 'look',
      subagent_type: 'Explore',
      isolated: true,
    }),
    // The same without the extension: only the parent's process sees that something is asked.
    child: { live: false, imported: false, requests: 2 },
  },
  {
    name: 'pi-prompt-template-model',
    loads: ['pi-subagents', 'pi-prompt-template-model'],
    tool: null,
    prompt: ['SCN:simple', '/deep now'],
    templates: {
      'deep.md': `---
description: Looks around
model: fake-openai/fake-gpt
subagent: scout
---
${task} $@
`,
    },
    // Without the extension: its requests are seen, and its session file has what they cost. That
    // the requests were these, nobody knows: they stay said.
    child: { live: false, imported: true, requests: 2 },
  },
];

/** Makes the fake model call a tool once. */
export function delegating(tool: string, args: object): string {
  return `SCN:call:${tool}:${Buffer.from(JSON.stringify(args)).toString('base64')}`;
}
