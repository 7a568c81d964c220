import { Type } from 'typebox';
import { defineEventType } from '../../event-type.ts';
import { LabelChange, Name, Nullable } from '../../fields.ts';

const DayOrMinute = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\dZ)?$' });

/**
 * Records of one session were labelled after the fact (`pi-ledger label`). What is set in `records`
 * must all fit a record. Of two such labels with one key the newer counts; a null takes back what
 * older ones said. Only a collector writes it; from a producer it is rejected.
 */
export const recordsLabelled = defineEventType({
  type: 'pi.records.labelled.v1',
  basis: 'live',
  data: Type.Object({
    labels: LabelChange,
    records: Type.Object({
      /** A day of the spender's calendar, or a minute in UTC; from here on. */
      since: Nullable(DayOrMinute),
      /** A day is included, a minute is not. */
      until: Nullable(DayOrMinute),
      /** As the user's rules name it. */
      project: Nullable(Name),
      branch: Nullable(Name),
      user: Nullable(Name),
      machine: Nullable(Name),
      host: Nullable(Name),
      provider: Nullable(Name),
      model: Nullable(Name),
    }),
  }),
  example: {
    labels: { team: 'checkout' },
    records: {
      since: '2026-11-01',
      until: '2026-11-22T13:30Z',
      project: 'shop',
      branch: null,
      user: null,
      machine: null,
      host: null,
      provider: null,
      model: null,
    },
  },
});
