/** Every place that the settings name, in their order. */
import type { CollectorConfig } from '../../config/config.ts';
import { mailTarget } from './mail/target.ts';
import type { SendOptions, Target } from './target.ts';
import { webhookTarget } from './webhook/target.ts';

export function noticeTargets(
  { webhooks, mail }: Pick<CollectorConfig, 'webhooks' | 'mail'>,
  options: SendOptions,
): readonly Target[] {
  return [
    ...webhooks.map((webhook) => webhookTarget(webhook, options)),
    ...(mail === null ? [] : mail.to.map((to) => mailTarget({ ...mail, to }, options))),
  ];
}
