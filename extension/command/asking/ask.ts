/**
 * Asks the collector one thing, for people who look at the agent: never on the host's path.
 *
 * Guarantees: the collector proves its identity before it is told the question or the token
 * (../../shipping/connection.ts); one answer or a reason within a second; every socket and timer is
 * unref'd.
 */
import { type CollectorConnection, failure, onProven } from '../../shipping/connection.ts';
import { type ConverseAnswered, converse } from '../../shipping/converse.ts';
import type { Retry, Unauthorized } from '../../shipping/send-result.ts';

export type AskedCollector =
  /** JSON of a collector that has proven its identity. */
  | { readonly is: 'answer'; readonly body: unknown }
  /** `why` follows "not known: "; from others, so to be sanitized. */
  | { readonly is: 'none'; readonly why: string };

const askMsMax = 1_000;

/** Contract: never rejects. */
export async function ask(path: string, collector: CollectorConnection): Promise<AskedCollector> {
  const options = { timeoutMs: askMsMax, ...collector };
  const result = await onProven(options, async (connection, leftMs) => {
    const { token } = collector;
    const request = connection.request(path, 'GET', {
      accept: 'application/json',
      connection: 'close',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    });
    const reply = await converse(request, null, leftMs(), connection.isProven);
    return reply.state === 'answered' ? judge(reply) : failure(reply, options);
  });
  return 'is' in result ? result : none(explainFailure(result));
}

/** Resolves to null if the collector has proven to be ours. Contract: never rejects. */
export async function findDoubt(collector: CollectorConnection): Promise<string | null> {
  const options = { timeoutMs: askMsMax, ...collector };
  const result = await onProven(options, async () => null);
  return result === null ? null : explainFailure(result);
}

function explainFailure(failed: Retry | Unauthorized): string {
  if (failed.state === 'unauthorized') return `the collector refuses (${failed.status})`;
  switch (failed.cause) {
    case 'network':
      return `no collector answers (${failed.reason})`;
    case 'stranger':
      return `the program there is not a trusted collector (${failed.reason})`;
    default:
      return failed.reason;
  }
}

function none(why: string): AskedCollector {
  return { is: 'none', why };
}

function judge({ status, body }: ConverseAnswered): AskedCollector {
  const said = jsonIn(body);
  if (status === 200 && said !== null) return { is: 'answer', body: said };
  if (status === 404) return none('the collector is older than this extension: update it');
  const message = 'message' in (said ?? {}) ? String(Object(said).message) : `status ${status}`;
  return none(`the collector says: ${message}`);
}

function jsonIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null; // something in between answered
  }
}
