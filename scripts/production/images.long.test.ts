import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, suite, test } from 'node:test';
import * as z from 'zod/mini';

const root = join(import.meta.dirname, '..', '..');
const isBuilder = process.getuid?.() === 0 && spawnSync('buildah', ['--version']).status === 0;
const skip = !isBuilder && 'the images cannot be built: buildah is missing, or this user is not root';

/** On disk, because images would fill the memory in which other tests have their files (`run-node-tests.ts`). */
const work = skip ? '' : mkdtempSync('/var/tmp/images-');
const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run')];
const buildah = (...args: string[]) =>
  execFileSync('buildah', [...storage, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

const certificates = '/etc/ssl/certs/ca-certificates.crt';
const baseImagePrograms = 'sh env install rm mkdir cat ls uname dirname basename sed true'.split(' ');

/**
 * A stand-in for the image node:24-slim, so that the test needs no registry: this Node.js with its npm, some programs of this
 * machine, and their libraries. Its `apt-get` installs nothing, so the release server has no browser in this test.
 */
function writeBaseImage(folder: string): void {
  const add = (file: string, path = file) =>
    cpSync(realpathSync(file), join(folder, path), { recursive: true });
  const find = (name: string) => execFileSync('which', [name], { encoding: 'utf8' }).trim();
  const files = [...baseImagePrograms.map(find), process.execPath];
  const folders = 'tmp root etc proc dev usr/local/bin usr/local/lib/node_modules var/lib/apt/lists';
  for (const path of folders.split(' ')) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  symlinkSync('usr/bin', join(folder, 'bin'));
  for (const program of baseImagePrograms) add(find(program), `usr/bin/${program}`);
  add(process.execPath, 'usr/local/bin/node');
  const linked = files.flatMap(
    (file) => spawnSync('ldd', [realpathSync(file)], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? [],
  );
  for (const library of new Set(linked)) add(library);
  const npm = realpathSync(find('npm'));
  add(dirname(dirname(npm)), 'usr/local/lib/node_modules/npm');
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  writeFileSync(join(folder, 'usr/bin/apt-get'), '#!/bin/sh\n');
  chmodSync(join(folder, 'usr/bin/apt-get'), 0o755);
  writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n');
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
}

const inspectedImage = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Cmd: z.array(z.string()),
      WorkingDir: z.string(),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});
type ImageConfig = z.infer<typeof inspectedImage>['Docker']['config'];

/** An image, and the folder in which its files are mounted. */
interface Image {
  readonly config: ImageConfig;
  readonly folder: string;
}

function build(dockerfile: string, target: string | undefined): Image {
  const tag = `localhost/${target ?? 'lead-service'}`;
  buildah(
    ...'build --isolation chroot --format docker --layers --pull-never --quiet'.split(' '),
    // For machines whose way to the npm registry has a certificate of its own.
    ...(existsSync(certificates)
      ? ['--volume', `${certificates}:${certificates}:ro`, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`]
      : []),
    '--volume',
    '/etc/resolv.conf:/etc/resolv.conf:ro',
    '--file',
    join(context, dockerfile),
    ...(target === undefined ? [] : ['--target', target]),
    '--tag',
    tag,
    context,
  );
  const container = buildah('from', '--pull-never', tag);
  const { Docker } = inspectedImage.parse(JSON.parse(buildah('inspect', '--type', 'image', tag)));
  return { config: Docker.config, folder: buildah('mount', container) };
}

async function freePort(): Promise<string> {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return String((server.address() as AddressInfo).port);
}

/** Arguments of `chroot` that run a command of an image as its user, with its environment only. */
function inImage(
  { config, folder }: Image,
  settings: readonly string[],
  command: readonly string[],
): string[] {
  return [
    '--userspec=1000:1000',
    folder,
    'env',
    '-i',
    '-C',
    config.WorkingDir,
    ...config.Env,
    ...settings,
    ...command,
  ];
}

/** Shell script that runs `chroot` with a file system of which only /data and /tmp can be written to, as in compose.yaml. */
const readOnlyChroot = `
mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp" && mount -t tmpfs -o uid=1000,mode=0700 tmpfs "$1/data"
shift && exec chroot "$@"`;

/** Starts the program of an image on a read-only file system, and waits for a line of its log. Disposing of the result stops it. */
async function start(image: Image, settings: readonly string[], line: RegExp) {
  const args = inImage(image, settings, image.config.Cmd);
  const child = spawn('unshare', ['--mount', 'sh', '-c', readOnlyChroot, 'sh', image.folder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const log: string[] = [];
  for await (const text of createInterface(child.stdout)) {
    log.push(text);
    if (line.test(text)) break;
  }
  assert.match(log.at(-1) ?? '', line);
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      assert.equal(child.exitCode, 0, 'the program stops properly');
    },
  };
}

/** Exit code of the health check that the image names. */
function checkHealth(image: Image, settings: readonly string[]): number | null {
  const [kind, ...command] = image.config.Healthcheck.Test;
  assert.equal(kind, 'CMD');
  return spawnSync('chroot', inImage(image, settings, command)).status;
}

/** The repository as a clone under a strict umask leaves it, because an image must not depend on the modes of the build machine. */
const context = join(work, 'context');
const copyContext = `umask 077 && mkdir "$1" && tar --create --exclude=node_modules --exclude=dist .dockerignore .npmrc *.json \
  lead-service packages release | tar --extract --no-same-permissions --directory="$1"`;

suite('images', { skip }, () => {
  before(() => {
    execFileSync('sh', ['-c', copyContext, 'sh', context], { cwd: root });
    writeBaseImage(join(work, 'base'));
    const container = buildah('from', 'scratch');
    buildah('copy', '--quiet', container, join(work, 'base'), '/');
    buildah('commit', '--quiet', container, 'docker.io/library/node:24-slim');
  });
  after(() => {
    spawnSync('buildah', [...storage, 'rm', '--all']);
    rmSync(work, { recursive: true, force: true });
  });

  for (const [name, { dockerfile, target, settings, line, isHealthy }] of Object.entries({
    'lead-service': {
      dockerfile: 'lead-service/Dockerfile',
      target: undefined,
      settings: async () => [`LEADS_PORT=${await freePort()}`],
      line: /listening on/,
      isHealthy: true,
    },
    site: {
      dockerfile: 'release/Dockerfile',
      target: 'site',
      settings: async () => [`PORT=${await freePort()}`],
      // Its store is empty.
      line: /Nothing is live yet.*Waiting for it/,
      isHealthy: false,
    },
    'release-server': {
      dockerfile: 'release/Dockerfile',
      target: 'release-server',
      settings: async () => [`RELEASE_PORT=${await freePort()}`, 'IDENTITIES_FILE=/identities.json'],
      line: /listening on/,
      isHealthy: true,
    },
  })) {
    test(`${name}: its image runs on a read-only file system`, async ({ waitFor }) => {
      const image = build(dockerfile, target);
      assert.equal(image.config.User, 'node');
      writeFileSync(join(image.folder, 'identities.json'), '[]');
      const given = await settings();
      {
        await using running = await start(image, given, line);
        assert(running);
        if (!isHealthy) assert.equal(checkHealth(image, given), 1);
        else await waitFor(() => assert.equal(checkHealth(image, given), 0), { timeout: 60_000 });
      }
      assert.notEqual(checkHealth(image, given), 0, 'a stopped program is not healthy');
    });
  }
});
