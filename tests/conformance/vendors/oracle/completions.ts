import { list, type Json } from './json.ts'

/** What OpenAI's older completions say as a text, said as a message of chat completions. */
export function asChat(body: Json): Json {
  const choices = list(body['choices']).map(({ text: content, reasoning_content: thought, ...choice }) => ({
    ...choice,
    delta: { content, ...(thought === undefined ? {} : { reasoning_content: thought }) },
  }))
  return { ...body, choices }
}
