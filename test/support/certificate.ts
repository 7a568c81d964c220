import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

/** PEM files for a server at 127.0.0.1, which is its own authority. */
export function createCertificate(directory: string): CertificateFiles {
  const [certPath, keyPath] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  const subject = ['-subj', '/CN=pi-ledger test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];
  const files = ['-keyout', keyPath, '-out', certPath];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...subject, ...files], {
    stdio: 'pipe',
  });
  return { certPath, keyPath };
}
