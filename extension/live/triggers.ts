/**
 * The host hooks that the recorder knows (hooks.ts has what it does at each). Hooks that a host
 * does not have never fire.
 *
 * Deliberately absent: `tool_call` (a throw there blocks the tool), `context`, `message_update`,
 * `provider_stream_event` (far too many).
 */
export const triggers = [
  'session_start',
  'session_switch',
  'session_branch',
  'session_tree',
  'session_before_tree',
  'session_before_switch',
  'session_before_fork',
  'session_before_branch',
  'session_shutdown',
  'before_agent_start',
  'agent_start',
  'agent_end',
  'agent_settled',
  'turn_start',
  'after_provider_response',
  'message_start',
  'turn_end',
  'model_select',
  'tool_execution_start',
  'tool_execution_end',
  'tool_result',
  'auto_compaction_start',
  'session_before_compact',
  'session.compacting',
  'session_compact',
  'session_compact_failed',
  'auto_compaction_end',
  'auto_retry_start',
  'auto_retry_end',
  'input',
  'ui_prompt_start',
  'ui_prompt_end',
  'tool_approval_requested',
  'tool_approval_resolved',
] as const;

export type Trigger = (typeof triggers)[number];

/** With these a session begins in this process, or takes the place of another one. */
type StartTrigger = 'session_start' | 'session_switch' | 'session_branch';

export type LaterTrigger = Exclude<Trigger, StartTrigger>;

/**
 * The hooks to listen to on a host. omp changes its behaviour for listeners: with
 * `session_before_compact` it no longer compacts in the background while the agent works, and with
 * `tool_result` or `tool_approval_*` it no longer executes speculatively (`readsAhead` says whether
 * it would). In pi, `session_before_compact` says more than `session.compacting`, which only omp
 * has. omp's entries already hold an answer's timing.
 */
export function listTriggers(hostName: 'pi' | 'omp', readsAhead: boolean): readonly Trigger[] {
  const approvals = ['tool_approval_requested', 'tool_approval_resolved'];
  const onOmp = [
    'session_before_compact',
    'session_before_tree',
    'tool_result',
    'turn_start',
    'message_start',
    ...(readsAhead ? approvals : []),
  ];
  const unwanted =
    hostName === 'omp'
      ? onOmp
      : ['session.compacting', 'auto_retry_start', 'auto_retry_end', ...approvals];
  return triggers.filter((trigger) => !unwanted.includes(trigger));
}

export function isStart(trigger: Trigger): trigger is StartTrigger {
  return (
    trigger === 'session_start' || trigger === 'session_switch' || trigger === 'session_branch'
  );
}
