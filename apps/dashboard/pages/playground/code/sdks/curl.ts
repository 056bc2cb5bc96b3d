import { headerTags, type Body } from '../bodies/body.ts'
import { generateBody } from '../bodies/gemini.ts'
import { keyVariable, type CodeRequest } from '../code-request.ts'

export const bearer = `Authorization: Bearer $${keyVariable}`

/** @param headers may contain the variable of the key, which the shell expands */
export function curl(url: string, headers: readonly string[], body: Body): string {
  const lines = [...headers, 'Content-Type: application/json'].map((header) => `  -H "${header}"`)
  return [`curl ${quote(url)}`, ...lines, `  -d ${quote(JSON.stringify(body, null, 2))}`].join(' \\\n')
}

export function googleCurl(request: CodeRequest): string {
  const tags = headerTags(request.tags)
  const headers = [`x-goog-api-key: $${keyVariable}`]
  if (tags.length > 0) headers.push(`X-Turnpike-Tags: ${inDoubleQuotes(tags.join(','))}`)
  const url = `${request.origin}/v1beta/models/${encodeURI(request.model)}:generateContent`
  return curl(url, headers, generateBody(request))
}

/** Quotes a text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Escapes what a shell expands inside double quotes. */
function inDoubleQuotes(text: string): string {
  return text.replaceAll(/["$\\`]/g, String.raw`\$&`)
}
