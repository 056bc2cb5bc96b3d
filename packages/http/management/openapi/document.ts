import { compatibleOperations } from './compatible/operations.ts'
import { documentHead } from './components.ts'
import { describeOperation } from './describe-operation.ts'
import type { DocumentedResponse, JsonSchema, OpenapiDocument, PathItem } from './document-types.ts'
import type { GeneratedPaths } from './generated-paths.ts'
import { operationAt } from './operation-table.ts'
import { publishedSchema, type NamedSchemas } from './published-schema.ts'
import { webhooks } from './webhooks.ts'

/**
 * The OpenAPI 3.1 document of both surfaces.
 * @param generated the management API's routes, generated from their schemas
 * @param subject name of the field with an account's subject at the identity provider
 */
export function openapiDocument(
  generated: GeneratedPaths,
  version: string,
  subject: string,
): OpenapiDocument {
  const named: NamedSchemas = {}
  const paths: Record<string, PathItem> = { ...compatibleOperations(named) }
  for (const [path, methods] of Object.entries(generated)) {
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const [method, operation] of Object.entries(methods)) {
      const known = operationAt(method.toUpperCase(), route)
      if (known === undefined) continue
      paths[path] = { ...paths[path], [method]: describeOperation(method, known, operation, named) }
    }
  }
  const head = documentHead(version)
  const responses = mapValues(head.components.responses, (response) => publishResponse(response, named))
  const document = {
    ...head,
    paths,
    webhooks,
    components: { ...head.components, responses, schemas: sortSchemas(named) },
  }
  return withSubject(document, subject)
}

function publishResponse(response: DocumentedResponse, named: NamedSchemas): DocumentedResponse {
  if (response.content === undefined) return response
  return {
    ...response,
    content: mapValues(response.content, (media) => ({
      ...media,
      schema: publishedSchema(media.schema, named),
    })),
  }
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

function sortSchemas(named: NamedSchemas): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The examples call the identity provider `oidc`; the configuration may use another name. */
function withSubject(document: OpenapiDocument, subject: string): OpenapiDocument {
  return JSON.parse(
    JSON.stringify(document).replaceAll('"oidc_sub":', `${JSON.stringify(subject)}:`),
  ) as OpenapiDocument
}
