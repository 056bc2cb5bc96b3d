import { html, type Html } from '@turnpike/identity'
import type {
  DocumentedOperation,
  DocumentedResponse,
  MediaType,
  OpenapiDocument,
  Parameter,
  Reference,
} from '../openapi/document-types.ts'
import { curlOf, exampleOf } from './curl.ts'
import { fromMarkdown, inline } from './markdown.ts'
import { fieldRow, fieldTable, table, typeText } from './schema-table.ts'

type Components = OpenapiDocument['components']

/** An operation with its method and path. */
export interface PlacedOperation {
  method: string
  path: string
  operation: DocumentedOperation
}

const credentials: Record<string, string> = {
  userToken: 'user token',
  apiKey: 'API key',
  internalSecret: 'internal secret',
}

/** The section about one operation: what it does, its input and its responses. */
export function operationSection({ method, path, operation }: PlacedOperation, components: Components): Html {
  const { operationId: id, summary, description } = operation
  const needs = operation.security.flatMap(Object.keys).map((name) => credentials[name] ?? name)
  return html`<section class="operation" id="${id}">
    <h3><a href="#${id}">${summary}</a></h3>
    <p class="path">
      <b>${method.toUpperCase()}</b> <code>${path}</code> <small>${needs.join(', ') || 'open'}</small>
    </p>
    ${fromMarkdown(description)} ${parameterTable(operation.parameters ?? [], components)}
    ${bodyTable(operation, components)}
    <pre><code>${curlOf(method, path, operation)}</code></pre>
    ${answers(operation, components)}
  </section>`
}

function parameterTable(
  parameters: readonly (Parameter | Reference)[],
  components: Components,
): Html | undefined {
  if (parameters.length === 0) return undefined
  const rows = parameters
    .map((one) => ('$ref' in one ? components.parameters[lastOf(one.$ref)]! : one))
    .map(({ name, in: place, schema, required, description = '' }) =>
      fieldRow(name, schema, required === true, `(${place}) ${description}`),
    )
  return html`<h4>Parameters</h4>
    ${table(rows)}`
}

function bodyTable({ requestBody }: DocumentedOperation, components: Components): Html | undefined {
  const [media] = Object.values(requestBody?.content ?? {})
  if (media === undefined) return undefined
  const reference = media.schema['$ref']
  const schema = typeof reference === 'string' ? components.schemas[lastOf(reference)]! : media.schema
  return html`<h4>Body</h4>
    ${fieldTable(schema)}`
}

function answers({ responses }: DocumentedOperation, components: Components): Html {
  const described = Object.entries(responses).map(([status, response]) => {
    return [status, '$ref' in response ? components.responses[lastOf(response.$ref)]! : response] as const
  })
  const isGood = ([status]: readonly [string, unknown]): boolean => status.startsWith('2')
  const rows = described
    .filter((one) => !isGood(one))
    .map(
      ([status, { description }]) =>
        html`<tr>
          <th scope="row"><code>${status}</code></th>
          <td>${inline(description)}</td>
        </tr>`,
    )
  return html`${described.filter(isGood).map(([status, response]) => goodAnswer(status, response))}
    <details>
      <summary>Other answers</summary>
      ${table(rows)}
    </details>`
}

function goodAnswer(status: string, { description, content }: DocumentedResponse): Html {
  const bodies = Object.entries(content ?? {}).map(([type, media]) => goodBody(type, media))
  return html`<h4>Answer ${status}</h4>
    <p>${inline(description)}</p>
    ${bodies}`
}

function goodBody(type: string, media: MediaType): Html {
  const example = exampleOf(media)
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  const shown = text === undefined ? undefined : html`<pre><code>${text}</code></pre>`
  return html`<p><code>${type}</code> <span class="type">${typeText(media.schema)}</span></p>
    ${shown}`
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}
