import { Type } from 'typebox';
import { type AnswerOf, OrNull } from './fields.ts';

const host = {
  host: 'pi' as const,
  isUsed: true,
  state: 'bad' as const,
  detail: 'the extension is not installed: `pi install npm:@pi-ledger/extension`',
  install: 'pi install npm:@pi-ledger/extension',
};

const Host = Type.Object(
  {
    host: Type.Enum(['pi', 'omp']),
    isUsed: Type.Boolean({ description: 'It has a folder on this machine, of this user.' }),
    state: Type.Enum(['good', 'note', 'bad']),
    detail: Type.String(),
    install: OrNull(
      Type.String(),
      'The command that makes it load the extension; null: it does, or is not used.',
    ),
  },
  { title: 'Host', examples: [host] },
);
export type Host = AnswerOf<typeof Host>;

/** `GET /v1/hosts` */
export const HostList = Type.Object(
  {
    rows: Type.Array(Host, {
      description: "On the collector's machine. Empty for readers with restricted access.",
    }),
  },
  { title: 'HostList', examples: [{ rows: [host] }] },
);
