/** A host whose user pauses, resumes, moves in the tree and forks; and what should be recorded. */
import type { Trigger } from '../../../../extension/live/triggers.ts';
import type { Attachment, RecorderOptions } from '../../../../extension/recorder.ts';
import {
  answer,
  append,
  contextOf,
  type FakeSession,
  fileOf,
  fork,
  newSession,
  toolCall,
  toolResult,
  userSays,
} from '../../support/fake-session.ts';
import { newMachine, type Process, startProcess } from '../../support/ledger-machine.ts';

export interface PrivateHost {
  readonly sessions: readonly FakeSession[];
  /** Answers made while nothing was paused. */
  readonly open: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  events(): ReturnType<ReturnType<typeof newMachine>['events']>;
  fire(trigger: Trigger, event?: object): void;
  talk(): void;
  turn(to: 'paused' | 'resumed'): boolean;
  move(choice: number): void;
  /** The host condenses what is on the path. */
  summarize(type: 'compaction' | 'branch_summary'): void;
  fork(): void;
  /** Kills the process, or ends it, and resumes the session in another. */
  restart(isKill: boolean): void;
}

export function privateHost(overrides: Partial<RecorderOptions> = {}): PrivateHost {
  const machine = newMachine();
  const start = (): Process => startProcess(machine, overrides);
  let process = start();
  let ids = 0;
  let attachment: Attachment = { sessionId: null };
  const begun = (id: string) => {
    machine.nowMs += 10;
    return newSession(id, machine.nowMs);
  };
  let session = begun('s0');
  const sessions = [session];
  const paused = new Set<string>();
  const open = new Set<string>();
  const hidden = new Set<string>();

  function add(body: Record<string, unknown>): string {
    ids += 1;
    machine.nowMs += 10;
    append(session, `e${ids}`, machine.nowMs, body);
    if (paused.has(session.id)) hidden.add(`e${ids}`);
    return `e${ids}`;
  }

  function fire(trigger: Trigger, event: object = {}): void {
    process.recorder.handle(trigger, event, contextOf(session), attachment);
  }

  function attach(): void {
    const own = session;
    attachment = {
      sessionId: null,
      writeMark(data) {
        ids += 1;
        const body = { type: 'custom', customType: 'pi-ledger.recording', data };
        append(own, `e${ids}`, machine.nowMs, body);
        return true;
      },
    };
  }

  attach();
  fire('session_start', { reason: 'startup' });
  return {
    sessions,
    open,
    hidden,
    events: () => machine.events(),
    fire,
    talk() {
      const isOpen = !paused.has(session.id);
      const word = isOpen ? 'said' : 'secret';
      fire('before_agent_start');
      fire('agent_start');
      add(userSays(word));
      const content = [toolCall(`${word}-${ids}`, word)];
      const first = add(answer(`${word}-${ids}`, { content, stopReason: 'toolUse' }));
      fire('tool_execution_start', { toolCallId: `${word}-${ids - 1}`, toolName: word });
      fire('tool_execution_end', { toolCallId: `${word}-${ids - 1}`, toolName: word });
      add(toolResult(`${word}-${ids - 1}`, word));
      const second = add(answer(`${word}-${ids}`));
      fire('turn_end');
      fire('agent_end');
      fire('agent_settled');
      if (isOpen) for (const id of [first, second]) open.add(id);
    },
    turn(to) {
      const isDone = process.recorder.switchTo(to, contextOf(session), attachment);
      if (!isDone) return false;
      if (to === 'paused') paused.add(session.id);
      else paused.delete(session.id);
      return true;
    },
    move(choice) {
      session.leafId = String(session.entries[choice % (session.entries.length + 1)]?.id ?? '');
      if (session.leafId === '') session.leafId = null;
      fire('session_tree');
    },
    summarize(type) {
      const path = fork(session, 'path', machine.nowMs).entries;
      const secrets = path.filter((entry) => JSON.stringify(entry).includes('secret'));
      const [{ id = 'root' } = {}] = secrets;
      const word = secrets.length === 0 ? 'said' : 'secret';
      add({
        type,
        summary: word,
        firstKeptEntryId: id,
        fromId: id,
        details: { readFiles: [`${word}/a`], modifiedFiles: [`${word}/b`] },
      });
      fire(type === 'compaction' ? 'session_compact' : 'session_tree');
    },
    fork() {
      if (session.entries.length === 0) return;
      machine.nowMs += 10;
      const copy = fork(session, `s${sessions.length}`, machine.nowMs);
      fire('session_shutdown', { reason: 'fork' });
      if (paused.has(session.id)) paused.add(copy.id);
      const previousSessionFile = fileOf(session);
      session = copy;
      sessions.push(copy);
      attach();
      fire('session_start', { reason: 'fork', previousSessionFile });
    },
    restart(isKill) {
      if (!isKill) fire('session_shutdown', { reason: 'quit' });
      process.idle();
      machine.nowMs += 10;
      process = start();
      attach();
      fire('session_start', { reason: 'resume' });
      process.idle();
    },
  };
}
