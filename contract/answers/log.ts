import { Type } from 'typebox';
import { OrNull } from './fields.ts';

/** `GET /v1/log` */
export const LogPage = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        position: Type.Integer(),
        receivedAt: Type.String({ description: "By the collector's clock." }),
        event: Type.Unknown({ description: 'CloudEvents JSON.' }),
        withdrawn: Type.Optional(
          Type.Boolean({ description: 'It was taken back: it counts no longer.' }),
        ),
      }),
    ),
    next: OrNull(Type.Integer(), '`after` of the next page; null on the last one.'),
  },
  {
    title: 'LogPage',
    examples: [
      {
        rows: [
          {
            position: 1,
            receivedAt: '2026-05-01T09:00:00.000Z',
            event: { specversion: '1.0', type: 'pi.session.started.v1' },
          },
        ],
        next: null,
      },
    ],
  },
);

const floor = OrNull(Type.String(), 'Older events are deleted and no longer accepted.');

/** `GET /v1/seal` */
export const SealState = Type.Object(
  { floor },
  { title: 'SealState', examples: [{ floor: null }] },
);

/** `POST /v1/seal` */
export const Sealed = Type.Object(
  {
    floor: Type.String({
      description: 'Older events are deleted, or would be without `dryRun`.',
    }),
    events: Type.Integer({ description: 'Deleted, or to be deleted.' }),
    documents: Type.Integer({
      description: 'Documents that replace them and everything sealed before; 0 with `dryRun`.',
    }),
  },
  {
    title: 'Sealed',
    examples: [{ floor: '2026-01-01T00:00:00.000Z', events: 12_400, documents: 310 }],
  },
);

/** `POST /v1/rebuild/{projection}` */
export const Rebuilt = Type.Object(
  { events: Type.Integer(), durationMs: Type.Number() },
  { title: 'Rebuilt', examples: [{ events: 12_400, durationMs: 810.5 }] },
);
