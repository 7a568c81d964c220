/**
 * One connection of a command to a collector. It sends nothing, neither token nor event, before the
 * other side has proven that it is the right collector (core/proof/challenge.ts).
 *
 * Guarantees: over plain HTTP a proof holds for its own connection only, and a new connection needs
 * a new proof; over TLS the certificate does the rest. Redirects are not followed.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createChallenge, type ProofVerdict } from '@pi-ledger/core/proof/challenge';
import { readHomeKey } from '@pi-ledger/core/proof/home-key';
import { LedgerError } from '../../errors.ts';
import type { TransportAnswer } from './transport.ts';

export interface FoundCollector {
  readonly url: string;
  /** The user set it, so a tunnel or a proxy may be there. */
  readonly isUrlNamed: boolean;
  readonly token: string | null;
  /** PI_LEDGER_HOME. */
  readonly home: string;
  /** The certificate to expect, in PEM; null: any that this machine trusts, or plain HTTP. */
  readonly certificate: string | null;
}

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
  readonly timeoutMs: number;
}

export interface ProvenConnection {
  /** Throws `collector_unproven` and network errors. */
  ask(question: Question): Promise<TransportAnswer>;
  close(): void;
}

/** A server may close a connection that is idle for longer. */
const idleMsMax = 20_000;
const attemptsMax = 3;
const proofTimeoutMs = 5_000;

export function openConnection(collector: FoundCollector): ProvenConnection {
  const isTls = new URL(collector.url).protocol === 'https:';
  // An `import` would read every export, one of which loads fetch and takes 40 ms, a fifth of a
  // report.
  const { Agent, request } = process.getBuiltinModule(isTls ? 'node:https' : 'node:http');
  const open = () => new Agent({ keepAlive: true, maxSockets: 1 });
  const trust = collector.certificate === null ? {} : trustOnly(collector.certificate);
  let agent = open();
  let proven: Socket | null = null;
  let usedAtMs = 0;

  function forget(): void {
    proven = null;
    agent.destroy();
    agent = open();
  }

  /** `over`: the only connection to use; null: any. */
  async function send(
    question: Question,
    token: string | null,
    over: Socket | null,
  ): Promise<Received | 'another connection'> {
    const sent = request(new URL(question.path, collector.url), {
      method: question.method,
      headers: requestHeaders(question, token),
      agent,
      timeout: question.timeoutMs,
      ...trust,
    });
    const received = await receive(
      sent,
      question,
      (socket) => isTls || over === null || socket === over,
      collector.url,
    );
    usedAtMs = performance.now();
    return received;
  }

  /**
   * Resolves to null once it is proven; otherwise the answer of a server that cannot prove
   * anything now.
   */
  async function prove(timeoutMs: number): Promise<TransportAnswer | null> {
    const { home, token, isUrlNamed, url } = collector;
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    const challenge = createChallenge({
      homeKey: await readHomeKey(home),
      token,
      isUrlNamed,
      nonce,
    });
    const received = await send(
      { method: 'GET', path: challenge.path, timeoutMs: Math.min(timeoutMs, proofTimeoutMs) },
      null,
      null,
    );
    if (received === 'another connection') return null;
    const { socket, remote, answer } = received;
    if (answer.status === 429 || answer.status >= 500) return answer;
    const verdict = challenge.judge(answer, remote.ip, remote.port);
    if (verdict.is === 'unproven') throw unproven(url, verdict);
    proven = socket;
    return null;
  }

  async function ask(question: Question): Promise<TransportAnswer> {
    if (performance.now() - usedAtMs > idleMsMax) forget();
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const busy = proven === null ? await prove(question.timeoutMs) : null;
      if (busy !== null) return busy;
      const received = await send(question, collector.token, proven);
      if (received !== 'another connection') return received.answer;
      forget();
    }
    throw new Error(
      `${new URL(collector.url).origin} closes each connection after one answer: ` +
        'use its https address.',
    );
  }

  return {
    ask: (question) =>
      ask(question).catch((error: unknown) => {
        forget();
        throw error;
      }),
    close: () => agent.destroy(),
  };
}

function unproven(
  url: string,
  { reason, remedy }: Extract<ProofVerdict, { is: 'unproven' }>,
): LedgerError {
  const message =
    `The server at ${new URL(url).origin} is not a trusted collector (${reason}). ` +
    `Nothing was sent to it. ${remedy}`;
  return new LedgerError('collector_unproven', { message });
}

interface Received {
  readonly answer: TransportAnswer;
  readonly socket: Socket;
  readonly remote: { readonly ip: string | undefined; readonly port: number | undefined };
}

/** Sends nothing over a connection that `mayUse` refuses: headers wait for the socket, too. */
function receive(
  sent: ClientRequest,
  { body, timeoutMs }: Question,
  mayUse: (socket: Socket) => boolean,
  base: string,
): Promise<Received | 'another connection'> {
  return new Promise((resolve, reject) => {
    sent.on('socket', (socket) => {
      if (mayUse(socket)) return;
      sent.destroy();
      resolve('another connection');
    });
    sent.on('response', (response) => {
      const { socket } = response;
      const remote = { ip: socket.remoteAddress, port: socket.remotePort };
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ answer: toAnswer(response, Buffer.concat(chunks)), socket, remote }),
      );
      response.on('error', reject);
    });
    sent.on('timeout', () =>
      sent.destroy(new Error(`No answer from ${base} within ${timeoutMs / 1000} s.`)),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function requestHeaders(
  { body, contentType = 'application/json' }: Question,
  token: string | null,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': contentType }),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** Certificates are not made for the loopback address: exactly this one is accepted. */
function trustOnly(certificate: string) {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const { fingerprint256 } = new X509Certificate(certificate);
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, found: { readonly fingerprint256: string }) =>
      found.fingerprint256 === fingerprint256
        ? undefined
        : new Error('The certificate is not the one in collector.json.'),
  };
}

function toAnswer({ statusCode = 0, headers }: IncomingMessage, body: Buffer): TransportAnswer {
  const { 'retry-after': retryAfter = '', link } = headers;
  return {
    status: statusCode,
    body: body.toString('utf8'),
    retryAfterSeconds: /^\d{1,4}$/.test(retryAfter) ? Number(retryAfter) : null,
    link: typeof link === 'string' ? link : null,
  };
}
