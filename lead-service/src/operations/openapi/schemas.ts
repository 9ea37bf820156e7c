import { formToken, leadAccepted, leadSubmission } from '@countersign/contracts/lead';
import { telemetryReport } from '@countersign/contracts/telemetry';
import * as z from 'zod/mini';

export type Json = Readonly<Record<string, unknown>>;

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

const readiness = z.object({
  status: z.enum(['ready', 'degraded', 'unavailable']),
  reasons: z.array(z.string()),
});

/** Schemas of the document, made of those that the service and the form check with. */
export function componentSchemas(): Json {
  // The path decides the type, so that this service can do without it.
  const submission = z.extend(leadSubmission, {
    submissionType: z.optional(leadSubmission.shape.submissionType),
  });
  return {
    LeadSubmission: jsonSchema(submission, 'input'),
    LeadAccepted: jsonSchema(leadAccepted, 'output'),
    FormToken: jsonSchema(formToken, 'output'),
    TelemetryReport: jsonSchema(telemetryReport, 'input'),
    Problem: jsonSchema(problem, 'output'),
    Readiness: jsonSchema(readiness, 'output'),
  };
}

/** Names one of them. */
export function refer(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  // The document says once which dialect its schemas are in.
  return { ...z.toJSONSchema(schema, { io }), $schema: undefined };
}
