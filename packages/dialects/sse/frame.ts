import { asBytes } from './parser.ts'

/** A server-sent event, latin1. `event` is its type, `''` for none. */
export function frameEvent(event: string, data: string): string {
  return event === '' ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`
}

/** A server-sent event without a type, whose data is this object as JSON. */
export function frameObject(data: object): string {
  return `data: ${asBytes(JSON.stringify(data))}\n\n`
}
