import type { TSchema } from 'typebox'
import type { DocumentedOperation, ResponseHeaders } from '../document-types.ts'
import { errorResponse } from '../errors.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'
import { rateLimitHeaders } from '../rate-limit-headers.ts'
import { otherFields, withMeanings } from './chat-request.ts'
import { tagsParameter, unsupportedParameter } from './parameters.ts'

const json = 'application/json'

/** An endpoint that does not stream. */
export interface WholeAnswerEndpoint extends Pick<
  DocumentedOperation,
  'operationId' | 'summary' | 'description' | 'tags'
> {
  request: {
    title: string
    /** The schema that validates the request. */
    schema: object
    /** The description of each field, by its name. */
    meanings: Record<string, string>
    example: { summary: string; value: object }
  }
  answer: { description: string; schema: TSchema; example: object }
}

/** The endpoint in the form of the document. */
export function wholeAnswer(
  { request, answer, ...told }: WholeAnswerEndpoint,
  named: NamedSchemas,
  servedBy: ResponseHeaders,
): DocumentedOperation {
  const { title, schema, meanings, example } = request
  const titled = { ...withMeanings(schema, meanings), title, description: otherFields }
  return {
    ...told,
    security: [{ apiKey: [] }],
    parameters: [tagsParameter, unsupportedParameter],
    requestBody: {
      required: true,
      content: { [json]: { schema: publishedSchema(titled, named), examples: { plain: example } } },
    },
    responses: {
      200: {
        description: answer.description,
        headers: { ...servedBy, ...rateLimitHeaders },
        content: { [json]: { schema: publishedSchema(answer.schema, named), example: answer.example } },
      },
      ...errors,
    },
  }
}

const statuses = [400, 401, 402, 403, 404, 408, 413, 415, 421, 429, '4XX', 500, 502, 503, 504] as const
const errors = Object.fromEntries(statuses.map((status) => [String(status), errorResponse(status)]))
