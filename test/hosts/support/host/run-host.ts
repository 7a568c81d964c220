/**
 * Runs a real host headless in a sandbox: once with `-p`, as a stream of JSON events, or as an RPC
 * session.
 */

import { waitMsMax } from '../../../support/bounds.ts';
import { type ModelName, modelDefault } from './host-config.ts';
import type { Host } from './hosts.ts';
import { type HostEvent, parseJsonLines } from './json-lines.ts';
import { type HostProcess, type HostRun, startProcess } from './processes.ts';
import { type RpcClient, rpcClient } from './rpc-client.ts';
import type { Sandbox } from './sandbox.ts';

export interface RunOptions {
  /** Extension file or package folder (`-e`), or several. */
  readonly extension?: string | readonly string[];
  readonly model?: ModelName;
  /** More arguments of the host, before the prompts. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Hard limit: then the process group is killed and the run rejects. */
  readonly timeoutMs?: number;
  /** `false` runs with `--no-session`. */
  readonly session?: boolean;
  /** Offers the model the skills that the host finds; by default there are none. */
  readonly skills?: true;
}

export interface PromptOptions extends RunOptions {
  /** Several are asked one after another in the same session. */
  readonly prompt: string | readonly string[];
}

export interface JsonRun extends HostRun {
  readonly events: readonly HostEvent[];
}

/**
 * Contract: as `startPrint`, waited for. A host that ends with an error is a result, not an
 * exception.
 */
export function runPrint(sandbox: Sandbox, options: PromptOptions): Promise<HostRun> {
  return startPrint(sandbox, options).done;
}

/** `--mode json`: the same run with the host's event stream on stdout. */
export async function runJson(sandbox: Sandbox, options: PromptOptions): Promise<JsonRun> {
  const args = ['--mode', 'json', ...(options.args ?? [])];
  const run = await startPrint(sandbox, { ...options, args }).done;
  return { ...run, events: parseJsonLines(run.stdout) };
}

/** Starts a `-p` run and returns at once, for tests that kill it on the way. */
export function startPrint(sandbox: Sandbox, options: PromptOptions): HostProcess {
  const prompts = typeof options.prompt === 'string' ? [options.prompt] : options.prompt;
  return start(sandbox, options, ['-p', ...(options.args ?? []), ...prompts], 'ignore');
}

export function startRpc(sandbox: Sandbox, options: RunOptions = {}): RpcClient {
  const process = start(sandbox, options, ['--mode', 'rpc', ...(options.args ?? [])], 'pipe');
  return rpcClient(process, sandbox.host.name);
}

/**
 * A shell command line that runs this sandbox's host once, for a bash tool to start a child agent.
 */
export function printCommandLine(sandbox: Sandbox, options: PromptOptions): string {
  const prompts = typeof options.prompt === 'string' ? [options.prompt] : options.prompt;
  const argv = commandOf(sandbox, options, ['-p', ...(options.args ?? []), ...prompts]);
  return `${argv.map(quoted).join(' ')} </dev/null`;
}

/** Of a whole run, in which a test waits for several things. */
const runMsMax = 3 * waitMsMax;

function start(
  sandbox: Sandbox,
  options: RunOptions,
  args: readonly string[],
  stdin: 'pipe' | 'ignore',
): HostProcess {
  return startProcess(commandOf(sandbox, options, args), {
    cwd: options.cwd ?? sandbox.work,
    env: { ...sandbox.env, ...options.env },
    timeoutMs: options.timeoutMs ?? runMsMax,
    stdin,
  });
}

export function commandOf(
  sandbox: Sandbox,
  options: RunOptions,
  args: readonly string[],
): readonly string[] {
  const extensions =
    typeof options.extension === 'string' ? [options.extension] : (options.extension ?? []);
  const session =
    options.session === false ? ['--no-session'] : ['--session-dir', sandbox.sessions];
  return [
    ...sandbox.host.command,
    ...extensions.flatMap((path) => ['-e', path]),
    ...session,
    ...['--model', options.model ?? modelDefault, '--system-prompt', 'Lab agent.'],
    ...(options.skills ? [] : ['--no-skills']),
    ...familyArguments(sandbox.host),
    ...args,
  ];
}

/**
 * pi offers only four tools unless told. omp offers so many that their schemas alone fill the small
 * model's window; it also asks its model for titles and runs language servers unless told.
 */
function familyArguments({ family }: Host): readonly string[] {
  return family === 'pi'
    ? ['--tools', 'read,bash,edit,write,grep,find,ls']
    : ['--tools', 'read,bash,edit,write,grep,task', '--no-title', '--no-lsp', '--no-rules'];
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
