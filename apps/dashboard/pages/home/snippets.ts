/** Stands in for a key that is unknown here. */
export const keyPlaceholder = 'sk-turnpike-…'

interface SnippetFacts {
  /** `https://llm.example.com/v1` */
  baseUrl: string
  key: string
  model: string
}

export const snippetLanguages = ['curl', 'Python', 'TypeScript'] as const
export type SnippetLanguage = (typeof snippetLanguages)[number]

/** A first request that works unchanged, tagged so that it can be found again. */
export const snippets: Record<SnippetLanguage, (facts: SnippetFacts) => string> = {
  curl: ({ baseUrl, key, model }) => `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -H "X-Turnpike-Tags: first-steps" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello!"}]}'`,

  Python: ({ baseUrl, key, model }) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${key}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello!"}],
    extra_headers={"X-Turnpike-Tags": "first-steps"},
)
print(answer.choices[0].message.content)`,

  TypeScript: ({ baseUrl, key, model }) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: '${key}' })
const answer = await client.chat.completions.create(
  { model: '${model}', messages: [{ role: 'user', content: 'Hello!' }] },
  { headers: { 'X-Turnpike-Tags': 'first-steps' } },
)
console.log(answer.choices[0].message.content)`,
}
