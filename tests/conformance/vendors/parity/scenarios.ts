import type { Recordings } from '@turnpike/simulators'
import { list, object, type Json } from '../oracle/json.ts'
import { askedOfAnthropic } from '../requests/said-to-anthropic.ts'
import { anthropicMeaning } from './meaning-anthropic.ts'
import { googleMeaning } from './meaning-google.ts'
import type { Meaning } from './meaning.ts'

/** A vendor at which scenarios were recorded. */
export interface ParityVendor {
  name: 'anthropic' | 'gemini'
  /** The folder within a scenario's folder. */
  api: string
  meaning(body: Json): Meaning
}

export const parityVendors: ParityVendor[] = [
  { name: 'anthropic', api: 'anthropic', meaning: anthropicMeaning },
  { name: 'gemini', api: 'google', meaning: googleMeaning },
]

/** One scenario at one vendor: its recording, and the same request in OpenAI's format. */
export interface Scenario {
  name: string
  vendor: ParityVendor
  /** The recorded case of the first turn's plain answer. */
  case: string
  request: Json
  recorded: Json
  /** The second turn as recorded. */
  recordedNext: Json
}

/** All scenarios that were recorded at one of the vendors. */
export function scenarios(recordings: Recordings): Scenario[] {
  return parityVendors.flatMap((vendor) => {
    const shape = new RegExp(`^parity-(\\w+)-${vendor.api}:plain$`, 'u')
    return recordings.cases.flatMap(({ id }) => {
      const name = shape.exec(id)?.[1]
      if (name === undefined) return []
      const recorded = requestOf(recordings, name, vendor.api)!
      const recordedNext = requestOf(recordings, name, vendor.api, 'followup-plain')!
      return [{ name, vendor, case: id, request: asked(recordings, name, recorded), recorded, recordedNext }]
    })
  })
}

/** OpenAI's own recorded request; if there is none, Anthropic's translated to OpenAI's format. */
function asked(recordings: Recordings, name: string, recorded: Json): Json {
  const twin = requestOf(recordings, name, 'chat-completions')
  return twin ?? askedOfAnthropic(requestOf(recordings, name, 'anthropic') ?? recorded)!
}

function requestOf(recordings: Recordings, name: string, api: string, exchange = 'plain'): Json | undefined {
  const id = `parity-${name}-${api}:${exchange}`
  if (!recordings.cases.some((one) => one.id === id)) return undefined
  return object(JSON.parse(recordings.request(id)!.toString('utf8')))
}

/** The second turn's messages: the gateway's first answer, and what the caller adds. */
export function nextMessages({ request, recordedNext }: Scenario, answer: Json): Json[] {
  const added = lastContent(recordedNext)
  const calls = list(answer['tool_calls'])
  const results = calls.map((call) => ({ role: 'tool', tool_call_id: call['id'], content: added }))
  return [
    ...list(request['messages']),
    answer,
    ...(calls.length > 0 ? results : [{ role: 'user', content: added }]),
  ]
}

/** The text of the last turn, or the output of its tool. */
function lastContent(recorded: Json): unknown {
  const last = list(recorded['messages'] ?? recorded['contents']).at(-1)!
  if (typeof last['content'] === 'string') return last['content']
  const [part] = list(last['content'] ?? last['parts'])
  const response = object(object(part!['functionResponse'])['response'])
  return part!['text'] ?? part!['content'] ?? Object.values(response)[0]
}
