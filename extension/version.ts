/**
 * The extension's own version, as events say it. A test holds it equal to package.json: reading
 * that file would cost each host start.
 */
export const producerVersion = '0.1.0';
