/** Spend that a test makes, sent to a running ledger as an extension sends it. */
import type { LedgerEvent } from '@pi-ledger/contract';
import { exampleSpend } from '../../../contract/spend.ts';
import { exampleEvent } from '../../collector/support/events.ts';
import type { Ledger } from '../../hosts/support/ledger/ledger.ts';

let number = 7_000_000;

function next(): number {
  number += 1;
  return number;
}

export interface AttributionOptions {
  readonly session: string;
  readonly project: string;
  readonly billing?: 'metered' | 'subscription';
}

export function attribution(options: AttributionOptions): LedgerEvent {
  const { session, project, billing = 'metered' } = options;
  return exampleEvent({
    number: next(),
    type: 'pi.session.attributed.v1',
    source: `/producers/${session}`,
    subject: session,
    time: moment(),
    data: {
      project: { name: project, remote: null, branch: 'main', worktree: null },
      billing: { anthropic: billing },
    },
  });
}

export interface AnswerOptions {
  readonly session: string;
  readonly nanoUsd: number;
  readonly model?: string;
}

export function answer({
  session,
  nanoUsd,
  model = 'claude-sonnet-5',
}: AnswerOptions): LedgerEvent {
  const id = next();
  return exampleEvent({
    number: id,
    source: `/producers/${session}`,
    subject: session,
    time: moment(),
    data: {
      entryId: `entry-${id}`,
      spend: { ...exampleSpend, model, responseId: `msg_${id}`, costNanoUsd: nanoUsd },
    },
  });
}

/** Of which the host knows no figures. */
export function failedAttempt({ session }: { readonly session: string }): LedgerEvent {
  const id = next();
  return exampleEvent({
    number: id,
    source: `/producers/${session}`,
    subject: session,
    time: moment(),
    data: {
      entryId: `entry-${id}`,
      stopReason: 'error',
      errorStatus: 529,
      spend: { ...exampleSpend, ...nothing, responseId: null },
    },
  });
}

const nothing = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: null,
  cacheWrite1hTokens: null,
  reported: false,
  costNanoUsd: null,
  costSource: 'unpriced',
};

/** Resolves when they are durable. */
export async function post(ledger: Ledger, ...events: readonly LedgerEvent[]): Promise<void> {
  const response = await fetch(`${ledger.url}/v1/events`, {
    method: 'POST',
    body: JSON.stringify(events),
    headers: { 'content-type': 'application/cloudevents-batch+json' },
  });
  const text = await response.text();
  const { accepted } = response.ok ? JSON.parse(text) : { accepted: 0 };
  if (accepted !== events.length) throw new Error(`events: ${response.status} ${text}`);
}

function moment(): string {
  return new Date().toISOString();
}
