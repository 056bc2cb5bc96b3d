import type {
  DocumentedOperation,
  DocumentedResponse,
  JsonSchema,
  MediaType,
  Parameter,
  Reference,
  ResponseHeaders,
} from './document-types.ts'
import { permissionOf } from '../access/permissions.ts'
import { errorResponse } from './errors.ts'
import { oauthErrorReferences } from './oauth-errors.ts'
import type { Surface } from './operation.ts'
import type { RouteOperation } from './operation-table.ts'
import { publishedSchema, type NamedSchemas } from './published-schema.ts'

/** What @fastify/swagger generates from the schemas of a route. */
export interface GeneratedOperation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses?: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

const security: Record<Surface, Record<string, string[]>[]> = {
  open: [],
  user: [{ userToken: [] }],
  operator: [{ internalSecret: [] }, { userToken: [] }],
  'api-key': [{ apiKey: [] }],
}

const json = 'application/json'
const successes: Record<string, string> = { 200: 'The answer.', 201: 'It was made.' }

/** Describes an operation of the management API: schemas, texts, examples, and possible responses. */
export function describeOperation(
  method: string,
  operation: RouteOperation,
  generated: GeneratedOperation,
  named: NamedSchemas,
): DocumentedOperation {
  const idempotent = method === 'post' && operation.surface !== 'open' && operation.unkept !== true
  const parameters: (Parameter | Reference)[] = (generated.parameters ?? []).map((parameter) => {
    const { description, ...schema } = publishedSchema(describeParameter(parameter), named)
    return { ...parameter, ...(typeof description === 'string' && { description }), schema }
  })
  if (operation.surface === 'user' && permissionOf(operation.action) !== 'person')
    parameters.push({ $ref: '#/components/parameters/Organization' })
  if (idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (operation.polled) parameters.push({ $ref: '#/components/parameters/IfNoneMatch' })
  const body = generated.requestBody?.content[json]
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    security: security[operation.surface],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: requestBody(operation, body.schema, named) }),
    ...(operation.form !== undefined && { requestBody: formBody(operation.form) }),
    responses: {
      ...successResponses(operation, generated, idempotent, named),
      ...errorResponsesOf(operation, parameters, body?.schema),
      ...(operation.form !== undefined && oauthErrorReferences),
    },
  }
}

function describeParameter({ description, schema }: Parameter): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}

function requestBody(operation: RouteOperation, schema: JsonSchema, named: NamedSchemas) {
  const { request: example, bodyOptional = false } = operation
  const media: MediaType = {
    schema: publishedSchema(schema, named),
    ...(example !== undefined && { example }),
  }
  return { required: !bodyOptional, content: { [json]: media } }
}

function formBody({ fields, required }: NonNullable<RouteOperation['form']>) {
  const described = Object.entries(fields).map(([name, description]) => [
    name,
    { type: 'string', description },
  ])
  const schema = { type: 'object', properties: Object.fromEntries(described), required: [...required] }
  const example = Object.fromEntries([...required].map((name) => [name, fieldExamples[name] ?? name]))
  return {
    required: required.length > 0,
    content: { 'application/x-www-form-urlencoded': { schema, example } },
  }
}

const fieldExamples: Record<string, string> = { grant_type: 'refresh_token' }

function successResponses(
  operation: RouteOperation,
  generated: GeneratedOperation,
  idempotent: boolean,
  named: NamedSchemas,
): Record<string, DocumentedResponse> {
  const headers = successHeaders(operation, idempotent)
  const responses: Record<string, DocumentedResponse> = {}
  for (const [status, { content }] of Object.entries(generated.responses ?? {})) {
    if (!status.startsWith('2')) continue
    responses[status] = {
      description: successes[status] ?? 'The answer.',
      headers,
      ...contentOf(operation, content?.[json]?.schema, named),
    }
  }
  if (operation.polled) responses['304'] = { description: 'Nothing changed since.', headers }
  return responses
}

function contentOf(
  { files, answer }: RouteOperation,
  schema: JsonSchema | undefined,
  named: NamedSchemas,
): Pick<DocumentedResponse, 'content'> {
  if (files !== undefined) return { content: filesOf(files) }
  if (schema === undefined) return {}
  const example = answer === undefined ? {} : { example: answer }
  return { content: { [json]: { schema: publishedSchema(schema, named), ...example } } }
}

function filesOf(files: NonNullable<RouteOperation['files']>): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(files).map(([type, { description, example }]) => [
      type,
      { schema: { type: 'string', description }, example },
    ]),
  )
}

function successHeaders({ polled, files }: RouteOperation, idempotent: boolean): ResponseHeaders {
  const headers: ResponseHeaders = { 'x-request-id': headerNamed('RequestId') }
  if (polled) headers['etag'] = headerNamed('EntityTag')
  if (idempotent) headers['idempotency-replayed'] = headerNamed('IdempotencyReplayed')
  if (files?.['text/csv'] !== undefined) {
    const description = '`attachment` with the name of the file.'
    headers['content-disposition'] = { description, required: true, schema: { type: 'string' } }
  }
  return headers
}

function headerNamed(name: string): Reference {
  return { $ref: `#/components/headers/${name}` }
}

/** Every error status that the endpoint may return, in ascending order. */
function errorResponsesOf(
  { surface, action, errors = [] }: RouteOperation,
  parameters: readonly (Parameter | Reference)[],
  body: JsonSchema | undefined,
): Record<string, Reference> {
  const statuses = new Set<number>([421, 500, 503, ...errors])
  const isIdempotent = parameters.some((one) => '$ref' in one && one.$ref.endsWith('IdempotencyKey'))
  const own = parameters.filter((one) => 'in' in one)
  const fields = [...own.map(({ name }) => name), ...Object.keys(body?.['properties'] ?? {})]
  if (surface !== 'open') statuses.add(401)
  // 404: the organization in `X-Turnpike-Org`.
  if (surface === 'user') statuses.add(403).add(404)
  // 400: this operation refuses that header.
  if (surface === 'user' && permissionOf(action) === 'person') statuses.add(400)
  // 404 for everybody who is not an operator.
  if (surface === 'operator') statuses.add(404)
  if (isIdempotent || own.length > 0) statuses.add(400)
  if (isIdempotent) statuses.add(409)
  // 404: something that the request names may not exist.
  if (fields.some((name) => name.endsWith('_id')) || own.some((one) => one.in === 'path')) statuses.add(404)
  if (body !== undefined) for (const status of [400, 408, 413, 415]) statuses.add(status)
  const sorted = [...statuses].sort((a, b) => a - b)
  return Object.fromEntries(sorted.map((status) => [String(status), errorResponse(status)]))
}
