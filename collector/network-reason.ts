/** Why a server does not answer, in words, by the code of the system. Undefined for another one. */
export function networkReason(code: string): string | undefined {
  return reasons[code];
}

const reasons: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'no server has this name',
  EADDRNOTAVAIL: 'no server has this address',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ENOTFOUND: 'no server has this name',
  EPIPE: 'the connection was closed',
  EPROTO: 'what answers does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers does not speak TLS',
  ETIMEDOUT: 'the server cannot be reached',
};
