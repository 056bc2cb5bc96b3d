import type { Json } from '../../playground/code/bodies/body.ts'
import { keyVariable } from '../../playground/code/code-request.ts'
import { literal } from '../../playground/code/literal.ts'

export const languages = ['curl', 'Python', 'TypeScript'] as const
export type Language = (typeof languages)[number]

/** A request as it was sent, without its key. */
export interface SentRequest {
  /** The gateway's: `https://llm.example.com`. */
  origin: string
  /** For example `/v1/chat/completions`. */
  path: string
  body: Json
}

/**
 * Code that sends the same request again. It uses plain HTTP, because no SDK has every field and every API.
 */
export const codeOf: Record<Language, (request: SentRequest) => string> = {
  curl: (request) => `curl ${quote(addressOf(request))} \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -d ${quote(JSON.stringify(request.body, null, 2))}`,
  Python: (request) => `# pip install requests
import os
import requests

answer = requests.post(
    ${literal(addressOf(request), 'python')},
    headers={"Authorization": "Bearer " + os.environ["${keyVariable}"]},
    json=${literal(request.body, 'python', 1)},${isStream(request) ? '\n    stream=True,' : ''}
)
${isStream(request) ? 'for line in answer.iter_lines():\n    print(line.decode())' : 'print(answer.json())'}`,
  TypeScript: (request) => `const answer = await fetch(${literal(addressOf(request), 'typescript')}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${keyVariable}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${literal(request.body, 'typescript', 1)}),
})
${
  isStream(request)
    ? `const pieces = answer.body!.pipeThrough(new TextDecoderStream())
for await (const piece of pieces) process.stdout.write(piece)`
    : 'console.log(await answer.json())'
}`,
}

const googleStream = ':streamGenerateContent'

function addressOf({ origin, path }: SentRequest): string {
  return `${origin}${path}${path.endsWith(googleStream) ? '?alt=sse' : ''}`
}

function isStream({ path, body }: SentRequest): boolean {
  if (path.endsWith(googleStream)) return true
  return typeof body === 'object' && body !== null && !Array.isArray(body) && body['stream'] === true
}

/** Quotes a text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
