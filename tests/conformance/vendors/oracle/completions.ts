import { list, type Json } from './json.ts'

/** Converts an answer of OpenAI's older completions to one of chat completions. */
export function asChat(body: Json): Json {
  const choices = list(body['choices']).map(({ text: content, reasoning_content: thought, ...choice }) => ({
    ...choice,
    delta: { content, ...(thought === undefined ? {} : { reasoning_content: thought }) },
  }))
  return { ...body, choices }
}
