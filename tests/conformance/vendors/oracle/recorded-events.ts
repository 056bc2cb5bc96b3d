import { object, type Json } from './json.ts'

/** The payloads of a recorded stream, without `[DONE]`, comments and event names. */
export function recordedEvents(bytes: Buffer): Json[] {
  const payloads: Json[] = []
  for (const event of bytes.toString('utf8').split(/\r?\n\r?\n/u)) {
    const data = event
      .split(/\r?\n/u)
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice('data:'.length).trim())
      .join('\n')
    if (data !== '' && data !== '[DONE]') payloads.push(object(JSON.parse(data)))
  }
  return payloads
}
