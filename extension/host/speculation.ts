import { asObject } from '../../core/record/fields.ts';
import { called } from './host-call.ts';

/**
 * Whether omp executes tools speculatively (an experiment, off by default), which it stops doing
 * while an extension listens to approvals. True also when unknown: then nothing listens.
 */
export function readsAhead(pi: unknown): boolean {
  const settings = asObject(asObject(asObject(pi)?.pi)?.settings);
  return called(settings, 'get', 'tools.speculativeExecution.enabled') !== false;
}
