import { execFile } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A temporary certificate for localhost. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** Makes Chromium trust the certificate. From a server that it does not trust, it caches nothing, which would distort benchmarks. */
  readonly browserArgument: string;
}

/** Creates a certificate. Needs `openssl`. */
export async function createCertificate(): Promise<Certificate> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'certificate-'));
  const files = { key: join(folder.path, 'key.pem'), cert: join(folder.path, 'cert.pem') };
  await execute('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
    ...['-keyout', files.key, '-out', files.cert],
  ]);
  const [key, cert] = await Promise.all([readFile(files.key, 'utf8'), readFile(files.cert, 'utf8')]);
  const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(publicKey).digest('base64');
  return { key, cert, browserArgument: `--ignore-certificate-errors-spki-list=${hash}` };
}
