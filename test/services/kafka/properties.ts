/** The settings of a broker of tests: one node that is its own controller, on loopback. */

export interface BrokerPorts {
  readonly plain: number;
  readonly controller: number;
  readonly sasl: number;
  readonly encrypted: number;
  /** The listener behind a proxy. */
  readonly proxied: number;
}

export interface BrokerSettings {
  readonly ports: BrokerPorts;
  /** Where clients of the listener `PROXIED` are sent: the port of a proxy before it. */
  readonly proxyPort: number;
  readonly dataDirectory: string;
  /** PEM, with the key and its certificate. Null: no listener is encrypted. */
  readonly keyStorePath: string | null;
  /** Users of the SASL listener beside `saslUser`, who may do what ACLs allow; null: anything. */
  readonly limitedUsers: readonly string[] | null;
}

/** What users of the SASL listeners are called; PLAIN and SCRAM know the same one. */
export const saslUser = { username: 'ledger', password: 'a-secret-of-tests' };

export function brokerProperties({
  ports,
  proxyPort,
  dataDirectory,
  keyStorePath,
  limitedUsers,
}: BrokerSettings): string {
  const on = (port: number): string => `127.0.0.1:${port}`;
  const login = 'org.apache.kafka.common.security';
  const encrypted = keyStorePath === null ? '' : `,ENCRYPTED://${on(ports.encrypted)}`;
  const user = [saslUser.username, ...(limitedUsers ?? [])]
    .map((name) => `user_${name}="${saslUser.password}"`)
    .join(' ');
  return [
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@${on(ports.controller)}`,
    'controller.listener.names=CONTROLLER',
    `listeners=PLAIN://${on(ports.plain)},CONTROLLER://${on(ports.controller)},` +
      `SASL://${on(ports.sasl)},PROXIED://${on(ports.proxied)}${encrypted}`,
    `advertised.listeners=PLAIN://${on(ports.plain)},SASL://${on(ports.sasl)},` +
      `PROXIED://${on(proxyPort)}${encrypted}`,
    'listener.security.protocol.map=' +
      'PLAIN:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_PLAINTEXT,PROXIED:PLAINTEXT,' +
      'ENCRYPTED:SASL_SSL',
    ...(keyStorePath === null
      ? []
      : ['ssl.keystore.type=PEM', `ssl.keystore.location=${keyStorePath}`]),
    'inter.broker.listener.name=PLAIN',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    ...['sasl', 'encrypted'].flatMap((listener) => [
      `listener.name.${listener}.plain.sasl.jaas.config=` +
        `${login}.plain.PlainLoginModule required ${user};`,
      ...['scram-sha-256', 'scram-sha-512'].map(
        (name) =>
          `listener.name.${listener}.${name}.sasl.jaas.config=` +
          `${login}.scram.ScramLoginModule required;`,
      ),
    ]),
    ...(limitedUsers === null
      ? []
      : [
          'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
          // Of the listeners that ask for no name: the broker itself, and tests.
          'super.users=User:ANONYMOUS',
        ]),
    `log.dirs=${dataDirectory}`,
    'auto.create.topics.enable=false',
    ...['offsets.topic', 'transaction.state.log', 'share.coordinator.state.topic'].map(
      (name) => `${name}.replication.factor=1`,
    ),
    ...['transaction.state.log', 'share.coordinator.state.topic'].map(
      (name) => `${name}.min.isr=1`,
    ),
    ...['offsets.topic', 'transaction.state.log'].map((name) => `${name}.num.partitions=4`),
    'share.coordinator.state.topic.num.partitions=1',
    'group.initial.rebalance.delay.ms=0',
    // The default keeps 128 MB of memory for it.
    'log.cleaner.dedupe.buffer.size=8388608',
    // With the default, a broker that was killed may not come back for 9 seconds.
    'broker.session.timeout.ms=3000',
    'broker.heartbeat.interval.ms=500',
    'num.network.threads=2',
    'num.io.threads=4',
    '',
  ].join('\n');
}
