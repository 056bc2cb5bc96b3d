import { bodyOf, type Vendor, type VendorScript } from '../../vendor/script.ts'

/** For tests: a vendor's answer to a chat completion request, read like a client. */
export function ask(vendor: Vendor, body: unknown): PlayedAnswer {
  const script = vendor.answer({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: {},
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })
  const text = bodyOf(script).toString()
  const events = text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length))
  return { script, text, events, delayMs: totalDelay(script) }
}

export interface PlayedAnswer {
  script: VendorScript
  text: string
  /** The data of a stream's events. */
  events: string[]
  delayMs: number
}

function totalDelay(script: VendorScript): number {
  let total = 0
  for (const step of script.steps) if (step.type === 'delay') total += step.delayMs
  return total
}
