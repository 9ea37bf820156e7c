import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { reportErrors } from './error-catalogue.ts';
import { errorResponses, requestIdHeader } from './responses.ts';
import { refer, type Json } from './schemas.ts';

/** What the page reports to. */
export function telemetryPaths(): Json {
  return {
    [telemetryPath]: {
      post: {
        operationId: 'report',
        summary: 'Takes a report of what became of the parts of the page. It is added up and not kept.',
        description:
          'A version that is neither live nor previous nor canary, nor was so lately, is counted as "other".',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refer('TelemetryReport') } },
        },
        responses: {
          204: { description: 'Added up.', headers: requestIdHeader },
          ...errorResponses(reportErrors),
        },
      },
    },
  };
}
