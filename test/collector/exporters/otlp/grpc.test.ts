import { status } from '@grpc/grpc-js';
import { describe, expect, it } from 'vitest';
import { openGrpcEndpoint } from '../support/grpc-endpoint.ts';
import { logsSender, recordsNamed } from '../support/records.ts';

const never = new AbortController().signal;
const grpc = { PROTOCOL: 'grpc', HEADERS: 'x-key=abc' };

describe('a sender over gRPC', () => {
  it.each(['none', 'gzip'])('delivers a batch with headers, compression %s', async (way) => {
    const endpoint = await openGrpcEndpoint();
    const sender = await logsSender(endpoint.url, { ...grpc, COMPRESSION: way });
    const outcome = await sender.send(recordsNamed('a', 'b'), never);
    expect(outcome).toEqual({ sent: 2, rejected: 0, refused: 0, message: null });
    expect(endpoint.taken.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(endpoint.headers).toMatchObject([{ 'x-key': 'abc' }]);
  });

  it('says how many of a batch the endpoint dropped', async () => {
    const endpoint = await openGrpcEndpoint();
    endpoint.behave(() => Buffer.from([0x0a, 0x02, 0x08, 0x01]));
    const sender = await logsSender(endpoint.url, grpc);
    const outcome = await sender.send(recordsNamed('a', 'b'), never);
    expect(outcome).toMatchObject({ sent: 1, rejected: 1 });
  });

  it.each([
    ['INVALID_ARGUMENT', 'no'],
    ['RESOURCE_EXHAUSTED', 'grpc: received message larger than max (4582597 vs. 4194304)'],
    ['RESOURCE_EXHAUSTED', 'Received message larger than max (5308389 vs. 4194304)'],
    ['RESOURCE_EXHAUSTED', 'gRPC message exceeds maximum size 4194304: 4582597'],
    ['RESOURCE_EXHAUSTED', 'Received message exceeds the maximum configured message size.'],
  ] as const)('loses one bad item alone to %s: %s', async (name, details) => {
    const endpoint = await openGrpcEndpoint();
    endpoint.behave((items) =>
      items.some((each) => each.name === 'bad') ? { code: status[name], details } : Buffer.alloc(0),
    );
    const sender = await logsSender(endpoint.url, grpc);
    const outcome = await sender.send(recordsNamed('a', 'bad', 'b'), never);
    expect(outcome).toMatchObject({
      ...{ sent: 2, refused: 1 },
      message: `${endpoint.url}: ${name}: ${details}`,
    });
    expect(endpoint.taken.map((each) => each.name)).toEqual(['a', 'b']);
  });

  it.each([
    'UNAUTHENTICATED',
    'PERMISSION_DENIED',
    'UNIMPLEMENTED',
    'UNAVAILABLE',
    'RESOURCE_EXHAUSTED',
    'INTERNAL',
  ] as const)('keeps a batch that meets %s', async (name) => {
    const endpoint = await openGrpcEndpoint();
    endpoint.behave(() => ({ code: status[name], details: 'no' }));
    const sender = await logsSender(endpoint.url, grpc);
    await expect(sender.send(recordsNamed('a', 'b'), never)).rejects.toThrow(`${name}: no`);
    expect(endpoint.headers).toHaveLength(1);
  });

  it('waits as long as the endpoint asks', async () => {
    const endpoint = await openGrpcEndpoint();
    const info = Buffer.from([0x0a, 0x02, 0x08, 0x01]);
    const type = Buffer.from('type.googleapis.com/google.rpc.RetryInfo');
    const any = Buffer.concat([
      Buffer.from([0x0a, type.length]),
      type,
      Buffer.from([0x12, info.length]),
      info,
    ]);
    const asked = Buffer.concat([Buffer.from([0x08, 0x08, 0x1a, any.length]), any]);
    endpoint.behave(() => ({ code: status.RESOURCE_EXHAUSTED, details: 'later', status: asked }));
    const sender = await logsSender(endpoint.url, grpc);
    const notBefore = Date.now() + 1_000;
    await expect(sender.send(recordsNamed('a', 'b'), never)).rejects.toThrow('later');
    endpoint.behave(() => Buffer.alloc(0));
    await sender.send(recordsNamed('a'), never);
    expect(Date.now()).toBeGreaterThanOrEqual(notBefore);
  });

  it('gives up on an endpoint that never answers, and ends at once when aborted', async () => {
    const endpoint = await openGrpcEndpoint();
    endpoint.behave(() => 'hang');
    const hasty = await logsSender(endpoint.url, { ...grpc, TIMEOUT: '200' });
    await expect(hasty.send(recordsNamed('a'), never)).rejects.toThrow('DEADLINE_EXCEEDED');
    const before = endpoint.headers.length; // the hasty one may not have got there
    const sender = await logsSender(endpoint.url, { ...grpc, TIMEOUT: '600000' });
    const stopping = new AbortController();
    const attempt = sender.send(recordsNamed('a'), stopping.signal);
    await expect.poll(() => endpoint.headers.length).toBeGreaterThan(before);
    stopping.abort();
    await expect(attempt).rejects.toThrow();
  });

  it('names a header that gRPC cannot send, without its value', async () => {
    const endpoint = await openGrpcEndpoint();
    const made = logsSender(endpoint.url, { ...grpc, HEADERS: 'api-key=hunter2%C3%A4' });
    await expect(made).rejects.toThrow('gRPC cannot send the header api-key (check');
    await expect(made).rejects.not.toThrow('hunter2');
  });
});
