/** Every place that the settings name, in their order. */
import { hostname } from 'node:os';
import type { CollectorConfig } from '../../config/config.ts';
import type { SharedSettings } from '../../config/shared-url.ts';
import { mailTarget } from './mail/target.ts';
import { createPageOf } from './page-link.ts';
import type { SendOptions, Target } from './target.ts';
import { webhookTarget } from './webhook/target.ts';

export function noticeTargets(
  { webhooks, mail, ...settings }: Pick<CollectorConfig, 'webhooks' | 'mail'> & SharedSettings,
  options: Omit<SendOptions, 'pageOf'>,
): readonly Target[] {
  const sending = { ...options, pageOf: createPageOf(settings, hostname()) };
  return [
    ...webhooks.map((webhook) => webhookTarget(webhook, sending)),
    ...(mail === null ? [] : mail.to.map((to) => mailTarget({ ...mail, to }, sending))),
  ];
}
