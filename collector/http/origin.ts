/** Who asks, as far as a request tells: for whatever is shared among those who ask. */
import type { FastifyRequest } from 'fastify';

/** From the whole to the part. */
export interface Origin {
  /** A token, or an address. */
  readonly caller: string;
  readonly kind: 'page' | 'program';
  /** What it says that it is. */
  readonly name: string;
}

export function requestOrigin({ caller, ip, headers }: FastifyRequest): Origin {
  return {
    caller: caller?.tokenId ?? ip,
    // Browsers send it, and no script can set it; any other program can.
    kind: headers['sec-fetch-site'] === 'same-origin' ? 'page' : 'program',
    name: headers['user-agent'] ?? '',
  };
}
