import type { DocumentedOperation, MediaType } from '../openapi/document-types.ts'

const credentials: Record<string, string> = {
  userToken: `-H "Authorization: Bearer $TURNPIKE_TOKEN"`,
  apiKey: `-H "Authorization: Bearer $TURNPIKE_API_KEY"`,
  internalSecret: `-H "X-Internal-Secret: $TURNPIKE_INTERNAL_SECRET"`,
}

/** The call as a shell command. */
export function curlOf(method: string, path: string, operation: DocumentedOperation): string {
  const query = (operation.parameters ?? [])
    .filter((one) => 'in' in one && one.in === 'query' && one.required === true)
    .map((one) => ('name' in one ? `${one.name}=…` : ''))
  const address = `"$TURNPIKE_URL${path}${query.length === 0 ? '' : `?${query.join('&')}`}"`
  const verb = method === 'get' ? '' : `-X ${method.toUpperCase()} `
  const lines = [`curl ${verb}${address}`]
  for (const scheme of operation.security.flatMap(Object.keys)) lines.push(credentials[scheme] ?? '')
  const [body] = Object.values(operation.requestBody?.content ?? {})
  if (body !== undefined) {
    lines.push(`-H 'content-type: application/json'`, `-d '${JSON.stringify(exampleOf(body) ?? {})}'`)
  }
  return lines.join(' \\\n  ')
}

/** The first example of a body. */
export function exampleOf(media: MediaType): unknown {
  return media.example ?? Object.values(media.examples ?? {})[0]?.value
}
