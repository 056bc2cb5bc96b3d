import type { DocumentedOperation, JsonSchema, Parameter, PathItem, Reference } from '../document-types.ts'
import { publishedSchema, type NamedSchemas } from '../published-schema.ts'

const json = 'application/json'
const security = [{ apiKey: [] }]
const tags = ['Responses']
const id = 'resp_req_01m7'

const responseId: Parameter = {
  name: 'response_id',
  in: 'path',
  required: true,
  description: 'Id of a stored response, of the key’s account.',
  schema: { type: 'string' },
}

const include: Parameter = {
  name: 'include',
  in: 'query',
  description: 'Accepted without effect: everything stored is returned.',
  schema: { type: 'array', items: { type: 'string' } },
}

const pageParameters: Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Items of a page.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
  {
    name: 'order',
    in: 'query',
    description: 'By their position in the conversation: latest or earliest first.',
    schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  {
    name: 'after',
    in: 'query',
    description: 'The id of the last item of the previous page.',
    schema: { type: 'string' },
  },
  include,
]

const item: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'string' }, type: { type: 'string' } },
  required: ['id'],
  additionalProperties: true,
}
const idOrNull: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] }

const listSchema: JsonSchema = {
  title: 'ResponseItemList',
  type: 'object',
  properties: {
    object: { type: 'string', const: 'list' },
    data: { type: 'array', items: item },
    first_id: idOrNull,
    last_id: idOrNull,
    has_more: { type: 'boolean' },
  },
  required: ['object', 'data', 'first_id', 'last_id', 'has_more'],
}

const exampleItem = {
  id: 'item_req_01m7_0',
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text: 'Hello' }],
}

const exampleList = {
  object: 'list',
  data: [exampleItem],
  first_id: exampleItem.id,
  last_id: exampleItem.id,
  has_more: false,
}

const deletedSchema: JsonSchema = {
  title: 'DeletedResponse',
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { type: 'string', const: 'response' },
    deleted: { type: 'boolean', const: true },
  },
  required: ['id', 'object', 'deleted'],
}

/** The schemas that these operations are described with. */
interface Told {
  named: NamedSchemas
  /** The response itself. */
  answer: { schema: JsonSchema; example: object }
  errors: Record<string, Reference>
}

/** Reads and deletes the responses that are kept if the operator has set `responses.store_days`. */
export function keptResponseOperations({ named, answer, errors }: Told): Record<string, PathItem> {
  const okResponse = (
    description: string,
    { schema, example }: Told['answer'],
  ): DocumentedOperation['responses'] => ({
    200: {
      description,
      headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
      content: { [json]: { schema: publishedSchema(schema, named), example } },
    },
    ...errors,
  })
  return {
    '/v1/responses/{response_id}': {
      get: {
        operationId: 'getResponse',
        summary: 'Read a stored response',
        description: 'As it was returned. It cannot be streamed again: `stream=true` is 400.',
        tags,
        security,
        parameters: [responseId, include],
        responses: okResponse('The answer.', answer),
      },
      delete: {
        operationId: 'deleteResponse',
        summary: 'Delete a stored response',
        description:
          'Deletes the response and its input. Later responses in the conversation contain it themselves ' +
          'and are deleted separately.',
        tags,
        security,
        parameters: [responseId],
        responses: okResponse('It is deleted.', {
          schema: deletedSchema,
          example: { id, object: 'response', deleted: true },
        }),
      },
    },
    '/v1/responses/{response_id}/input_items': {
      get: {
        operationId: 'listInputItems',
        summary: 'List the input of a stored response',
        description: 'The whole conversation before it.',
        tags,
        security,
        parameters: [responseId, ...pageParameters],
        responses: okResponse('A page of the items.', { schema: listSchema, example: exampleList }),
      },
    },
  }
}
