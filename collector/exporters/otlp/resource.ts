/** Who says it: attributes of every span, log record and metric. */
import type { Resource } from '@opentelemetry/resources';
import type { Telemetry } from './settings.ts';

export interface ResourceOptions {
  readonly telemetry: Pick<Telemetry, 'resource'>;
  /** `agents`: what they did. `collector`: how the collector itself fares. */
  readonly service: 'agents' | 'collector';
  /** For traces and logs, it is the id of the store. */
  readonly instanceId: string;
  readonly version: string;
}

/** What `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` say wins. Loads the library. */
export async function createResource(options: ResourceOptions): Promise<Resource> {
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  return resourceFromAttributes(resourceAttributes(options));
}

export function resourceAttributes({
  telemetry,
  service,
  instanceId,
  version,
}: ResourceOptions): Record<string, string> {
  return {
    'service.namespace': 'pi-ledger',
    'service.name': service,
    'service.instance.id': instanceId,
    'service.version': version,
    ...Object.fromEntries(telemetry.resource),
  };
}
