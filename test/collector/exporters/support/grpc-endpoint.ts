/** An OTLP/gRPC endpoint of the tests: answers as it is told, and keeps what it took. */
import { Metadata, Server, ServerCredentials } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { decodeItems, type Item } from './decode.ts';

export interface GrpcEndpoint {
  readonly url: string;
  /** Of each call. */
  readonly headers: Readonly<Record<string, unknown>>[];
  readonly taken: Item[];
  behave(behaviour: GrpcBehaviour): void;
}

/** `hang`: accepts and never answers. */
type GrpcBehaviour = (
  items: readonly Item[],
) =>
  | { readonly code: number; readonly details: string; readonly status?: Buffer }
  | Buffer
  | 'hang';

export async function openGrpcEndpoint(): Promise<GrpcEndpoint> {
  const headers: Record<string, unknown>[] = [];
  const taken: Item[] = [];
  let behaviour: GrpcBehaviour = () => Buffer.alloc(0);
  const server = new Server();
  const raw = {
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes: Buffer) => bytes,
  };
  const path = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
  server.addService(
    { Export: { path, ...raw } },
    {
      Export(
        call: { readonly request: Buffer; readonly metadata: Metadata },
        answer: (error: object | null, bytes?: Buffer) => void,
      ) {
        headers.push(call.metadata.getMap());
        const items = decodeItems('logs', call.request);
        const reply = behaviour(items);
        if (reply === 'hang') return;
        if (Buffer.isBuffer(reply)) {
          taken.push(...items);
          answer(null, reply);
          return;
        }
        const metadata = new Metadata();
        if (reply.status !== undefined) metadata.set('grpc-status-details-bin', reply.status);
        answer({ code: reply.code, details: reply.details, metadata });
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return {
    url: `http://127.0.0.1:${port}`,
    headers,
    taken,
    behave(next) {
      behaviour = next;
    },
  };
}
