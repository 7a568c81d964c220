/** Lets a stand-in prove that it can read this home, like a collector. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureHomeKey } from '../../../../core/proof/home-key.ts';
import { joinAddress, proofOf } from '../../../../core/proof/proof.ts';

export const collectorHome = mkdtempSync(join(tmpdir(), 'pi-ledger-home-'));
process.once('exit', () => rmSync(collectorHome, { recursive: true, force: true }));

const homeKey = await ensureHomeKey(collectorHome);

/** False if the request is for something else. */
export function answerProof(
  { url = '', socket }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (!pathname.endsWith('/v1/proof')) return false;
  const here = joinAddress(socket.localAddress, socket.localPort) ?? '';
  const nonce = searchParams.get('nonce') ?? '';
  response.end(JSON.stringify({ home: proofOf(homeKey, 'home', nonce, here), token: null }));
  return true;
}
