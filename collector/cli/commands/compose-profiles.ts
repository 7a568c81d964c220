/** What the profiles of docker-compose.yml need in `.env`, beside what all need. */
import { randomBytes } from 'node:crypto';

export interface ComposeProfile {
  readonly name: 'observability' | 'organisation';
  /** What a file has when it was added, in words. */
  readonly added: string;
  /** New variables, in the order in which they are written. */
  draw(): Readonly<Record<string, string>>;
  /** A command before the profile is started, by the file's name. */
  readonly next: ((file: string) => string) | null;
}

/** Written as hexadecimal digits, which need no escaping in a URL. */
const passwordBytes = 32;

export function drawPassword(): string {
  return randomBytes(passwordBytes).toString('hex');
}

/** Services and users by their names in docker-compose.yml. */
export const composeProfiles: readonly ComposeProfile[] = [
  {
    name: 'observability',
    added: "Grafana's password, and where to send telemetry,",
    draw: () => ({
      GRAFANA_ADMIN_PASSWORD: drawPassword(),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318',
    }),
    next: (file) =>
      'Then: echo "GRAFANA_TOKEN=$(docker compose run --rm -T collector token create ' +
      `--user grafana --scope read)" >> ${file}`,
  },
  {
    name: 'organisation',
    added: "Kafka's password, and who takes events in,",
    draw() {
      const password = drawPassword();
      return {
        KAFKA_PASSWORD: password,
        PI_LEDGER_KAFKA: `kafka://pi_ledger:${password}@kafka:9092`,
        PI_LEDGER_ROLE: 'worker',
        PI_LEDGER_INTAKE: 'gateway-1:7717 gateway-2:7717',
        PI_LEDGER_UPSTREAM: 'collector:7717 worker:7717',
      };
    },
    next: null,
  },
];
