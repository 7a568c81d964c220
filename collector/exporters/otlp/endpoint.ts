/** Addresses of endpoints, as `OTEL_EXPORTER_OTLP_ENDPOINT` and its siblings write them. Pure. */
import type { Protocol, Signal } from './protocol.ts';

interface EndpointOptions {
  readonly protocol: Protocol;
  /** When set, a gRPC address without a scheme means no TLS. */
  readonly insecure: boolean;
  /** HTTP has this signal's path appended; null: the address is the signal's own, as it is. */
  readonly path: Signal | null;
}

export function readEndpoint(
  text: string,
  { protocol, insecure, path }: EndpointOptions,
): URL | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const scheme = hasScheme || protocol !== 'grpc' ? '' : insecure ? 'http://' : 'https://';
  const url = URL.parse(scheme + text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return null;
  if (protocol !== 'grpc' && path !== null)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/${path}`;
  return url;
}

/** What may be shown of it: neither names, passwords, queries nor a path that may be a secret. */
export function shownEndpoint({ protocol, host, pathname }: URL): string {
  const isUsual = /^(\/|\/v1\/(traces|metrics|logs))$/.test(pathname);
  return `${protocol}//${host}${isUsual ? pathname.replace(/^\/$/, '') : '/...'}`;
}
