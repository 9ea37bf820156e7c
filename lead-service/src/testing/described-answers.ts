import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../app.ts';

/** The parts of a described answer that the checks use. */
interface DescribedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

type DescribedPath = Readonly<
  Record<string, { readonly responses: Readonly<Record<string, DescribedAnswer>> }>
>;

const document = apiDocument();

/** The described paths, by method. */
export const described = document['paths'] as Readonly<Record<string, DescribedPath>>;

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

/** A validator of the schema at this place in the document, if there is one. */
export function validatorOf(...parts: readonly string[]): ValidateFunction | undefined {
  const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  return ajv.getSchema(`document#/${pointer.join('/')}`);
}

/** Problem types in the described answers of an operation. */
export function describedErrors(path: string, method: string): string[] {
  return Object.values(described[path]?.[method]?.responses ?? {}).flatMap(({ content }) => {
    const problem = content?.['application/problem+json']?.schema as ProblemSchema | undefined;
    return problem?.allOf.flatMap(({ properties }) => properties?.type.enum ?? []) ?? [];
  });
}

interface ProblemSchema {
  readonly allOf: readonly {
    readonly properties?: { readonly type: { readonly enum: readonly string[] } };
  }[];
}

/** Asserts that an answer matches the document by path, status and content type. */
export async function assertDescribed(path: string, method: string, answer: Response): Promise<void> {
  const where = ['paths', path, method, 'responses', String(answer.status)];
  const response = described[path]?.[method]?.responses[String(answer.status)];
  assert.ok(response !== undefined, where.join(' '));
  for (const name of Object.keys(response.headers ?? {})) {
    if (/^(RateLimit|Idempotency)/.test(name)) continue;
    assert.ok(answer.headers.has(name), `${where.join(' ')} ${name}`);
  }
  const body = await answer.text();
  if (response.content === undefined) {
    assert.ok(answer.status === 303 || body === '', where.join(' '));
    return;
  }
  const type = (answer.headers.get('content-type') ?? '').replace(/;.*/, '');
  const validate = validatorOf(...where, 'content', type, 'schema');
  assert.ok(validate !== undefined, `${where.join(' ')} ${type}`);
  validate(/[/+]json$/.test(type) ? JSON.parse(body) : body);
  assert.deepEqual(validate.errors ?? [], [], where.join(' '));
}
