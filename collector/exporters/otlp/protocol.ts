export type Signal = 'traces' | 'metrics' | 'logs';
export type Protocol = 'http/protobuf' | 'grpc';
