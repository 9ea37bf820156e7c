import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real PgBouncer in transaction mode, with few connections to PostgreSQL. */
export interface Pooler extends AsyncDisposable {
  /** URL of the database through the pooler. */
  readonly url: string;
}

/** PgBouncer refuses to run as root, so it runs as this user id. */
const nobodyId = 65_534;

/** @param serverConnections number of connections to PostgreSQL that all clients share */
export async function startPooler(databaseUrl: string, serverConnections: number): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const directory = mkdtempSync(join(tmpdir(), 'pooler-'));
  const configuration = join(directory, 'pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
${database} = host=${hostname} port=${port || 5432} user=${username} ${password && `password=${decodeURIComponent(password)}`}
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = ${directory}
auth_type = any
pool_mode = transaction
default_pool_size = ${serverConnections}
`,
  );
  const isRoot = process.getuid?.() === 0;
  chmodSync(directory, 0o700);
  if (isRoot) for (const path of [directory, configuration]) chownSync(path, nobodyId, nobodyId);
  const child = spawn('pgbouncer', [configuration], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(isRoot && { uid: nobodyId, gid: nobodyId }),
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (line.includes('process up')) break;
  }
  // Discards later output, because a full pipe would block the pooler.
  child.stderr.resume();
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${lines.join('\n')}`);
  return {
    url: `postgres://${username}@${encodeURIComponent(directory)}:6432/${database}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
      rmSync(directory, { recursive: true });
    },
  };
}
