/** The way of an event: the log, each view, whoever is handed the log beside them. */
import type { Health } from '@pi-ledger/contract/answers';

export interface Step {
  readonly name: string;
  /** It is null before the step has begun. */
  readonly position: number | null;
  /** Events; null: it is the log itself, or it has not begun. */
  readonly behind: number | null;
  readonly state: 'good' | 'warn' | 'bad';
  readonly words: string;
}

/** Empty for those who may not see how much there is. */
export function stepsOf({ views = [], subscribers = [] }: Health): readonly Step[] {
  const head = headOf({ views, subscribers });
  if (head === null) return [];
  return [
    { name: 'log', position: head, behind: null, state: 'good', words: 'ok' },
    ...views.map(viewStep),
    ...subscribers.map(subscriberStep),
  ];
}

/** Returns the head of the log; null when nothing tells it. */
export function headOf({ views = [], subscribers = [] }: Pick<Health, 'views' | 'subscribers'>) {
  const heads = [...views, ...subscribers].map((each) => each.head);
  return heads.length === 0 ? null : Math.max(...heads);
}

function viewStep(view: NonNullable<Health['views']>[number]): Step {
  const { projection, position, head, setAside } = view;
  const behind = Math.max(0, head - position);
  const step = { name: `view ${projection}`, position, behind };
  if (setAside.count > 0)
    return { ...step, state: 'bad', words: `${setAside.count} set aside: in no figure` };
  return behind > 0
    ? { ...step, state: 'warn', words: 'catching up' }
    : { ...step, state: 'good', words: 'ok' };
}

function subscriberStep(subscriber: NonNullable<Health['subscribers']>[number]): Step {
  const { name, position, head, failure, losses, passedOver } = subscriber;
  const behind = position === null ? null : Math.max(0, head - position);
  const lost = losses.rejected + losses.refused + passedOver;
  const step = { name, position, behind };
  if (failure !== null) return { ...step, state: 'bad', words: failure };
  if (lost > 0) return { ...step, state: 'warn', words: lossWords(subscriber) };
  return position === null
    ? { ...step, state: 'warn', words: 'not begun' }
    : { ...step, state: 'good', words: 'ok' };
}

function lossWords({ losses, passedOver }: NonNullable<Health['subscribers']>[number]): string {
  const said = [
    ...(losses.rejected > 0 ? [`${losses.rejected} rejected`] : []),
    ...(losses.refused > 0 ? [`${losses.refused} refused`] : []),
    ...(passedOver > 0 ? [`${passedOver} deleted before it read them`] : []),
  ].join(', ');
  return losses.message === null ? said : `${said}: ${losses.message}`;
}
