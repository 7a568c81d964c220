/** Entries of ours in the host's session file, which are never sent to the model. */
import { asObject } from '../../core/record/fields.ts';
import { markType } from '../../core/record/privacy.ts';
import { called, failed } from './host-call.ts';

/** Below the leaf, which moves there. False if the host cannot. Contract: never throws. */
export type WriteMark = (data: Readonly<Record<string, unknown>>) => boolean;

/** Returns null for a host without entries of extensions. `pi`: the host's API object. */
export function createMarkWriter(pi: unknown): WriteMark | null {
  const api = asObject(pi);
  return typeof api?.appendEntry === 'function'
    ? (data) => called(api, 'appendEntry', markType, data) !== failed
    : null;
}
