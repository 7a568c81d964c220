/** The contract, compiled: the collector would reject what is invalid here. */
import { Compile } from 'typebox/compile';
import { Envelope, eventTypes } from '../../../contract/index.ts';
import type { EventDraft } from '../../../core/record/draft.ts';

const envelope = Compile(Envelope);
const dataByType = new Map<string, ReturnType<typeof Compile>>(
  eventTypes.map(({ type, data }) => [type, Compile(data)]),
);

/** The problems of an event; empty if it is valid. */
export function problemsOf(draft: EventDraft): readonly string[] {
  const event = JSON.parse(
    JSON.stringify({
      specversion: '1.0',
      source: '/producers/test',
      sequence: '0000000001',
      ...draft,
    }),
  );
  const schema = dataByType.get(draft.type);
  if (schema === undefined) return [`${draft.type} is no type of the contract`];
  return [...envelope.Errors(event), ...schema.Errors(event.data)].map(
    ({ instancePath, message }) => `${draft.type} ${instancePath} ${message}`,
  );
}
